package dev.sekisho.idp.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Sets logging up: JSON lines on standard output, for everything that logs in this process. */
public final class Logs {
    private Logs() {}

    /** Logs what is at least as severe as the level, such as {@code INFO}. */
    public static void configure(String level) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        var encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(console);
        root.setLevel(Level.toLevel(level));
        // Their INFO is of use only to those who develop them.
        for (var chatty :
                new String[] {"io.helidon", "org.redisson", "com.zaxxer.hikari", "io.netty", "org.flywaydb"}) {
            context.getLogger(chatty).setLevel(root.getLevel().isGreaterOrEqual(Level.INFO) ? Level.WARN : Level.DEBUG);
        }
        // At DEBUG these print what travels: statements with their values, commands with their arguments.
        for (var indiscreet : new String[] {"org.postgresql", "org.redisson", "io.netty", "com.zaxxer.hikari"}) {
            context.getLogger(indiscreet).setLevel(Level.WARN);
        }
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
