package dev.sekisho.loadtest.js;

import java.util.Optional;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** One virtual user's copy of a script. Used by one thread at a time; only {@link #stop} may come from another. */
public final class ScriptInstance implements AutoCloseable {
    private final Context context;
    private final VuContext vu;
    private final GuestTools tools;
    private @Nullable Value exports;

    ScriptInstance(Context context, VuContext vu) {
        this.context = context;
        this.vu = vu;
        this.tools = new GuestTools();
    }

    void start(Script script) throws ScriptException, StoppedException {
        guarded(() -> {
            Value bootstrap = context.eval(script.bootstrap());
            tools.bind(bootstrap.execute(
                    new ScriptHost(vu, tools, script),
                    script.allowedGlobals(),
                    new EnvironmentView(script.environment()),
                    Script.HOST_NAME));
            context.eval(script.modules());
            tools.call("modulesLoaded");
            exports = context.eval(script.main());
            return null;
        });
    }

    /** The state of its virtual user. */
    public VuContext vu() {
        return vu;
    }

    /** Whether the script exports a function of that name. */
    public boolean exportsFunction(String name) {
        return export(name).map(Value::canExecute).orElse(false);
    }

    /** Whether the script exports something of that name. */
    public boolean exports(String name) {
        return export(name).isPresent();
    }

    /** Whether the script exports any function. */
    public boolean exportsAnyFunction() {
        return exports != null && exports.getMemberKeys().stream().anyMatch(this::exportsFunction);
    }

    private Optional<Value> export(String name) {
        if (exports == null || !exports.hasMember(name)) {
            return Optional.empty();
        }
        Value value = exports.getMember(name);
        return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
    }

    /**
     * An exported value as JSON.
     *
     * @throws ScriptException if it has none
     */
    public Optional<String> exportAsJson(String name) throws ScriptException, StoppedException {
        Optional<Value> value = export(name);
        return value.isEmpty() ? Optional.empty() : guarded(() -> tools.toJson(value.get()));
    }

    /** Makes a value of the script's from JSON. */
    public Value parse(String json) throws ScriptException, StoppedException {
        return guarded(() -> tools.call("parse", json));
    }

    /** Sets a variable of the script's environment. */
    public void environment(String name, String value) throws ScriptException, StoppedException {
        guarded(() -> tools.call("setEnvironment", name, value));
    }

    /** Sets a global of the script. */
    public void global(String name, long value) throws ScriptException, StoppedException {
        guarded(() -> {
            context.getBindings("js").putMember(name, value);
            return null;
        });
    }

    /**
     * Calls an exported function; a promise is waited for.
     *
     * @param argument or null for undefined
     * @return what it returned
     * @throws ScriptException if it throws
     * @throws StoppedException if it was stopped
     */
    public Value call(String function, @Nullable Value argument) throws ScriptException, StoppedException {
        Value exported = export(function)
                .orElseThrow(() -> new ScriptException("function '" + function + "' not found in exports"));
        return guarded(() -> {
            Settlement settlement = new Settlement();
            Value returned = argument == null
                    ? tools.call("invoke", exported, tools.undefined(), settlement)
                    : tools.call("invoke", exported, argument, settlement);
            if (settlement.rejection != null) {
                throw new RejectedException(tools.describe(settlement.rejection));
            }
            return settlement.result == null ? returned : settlement.result;
        });
    }

    /** A value as JSON; empty for undefined. */
    public Optional<String> toJson(Value value) throws ScriptException, StoppedException {
        return guarded(() -> tools.toJson(value));
    }

    /** Whether the script holds bytes in this value. */
    public Optional<byte[]> bytes(Value value) throws ScriptException, StoppedException {
        return guarded(() -> tools.isBytes(value) ? Optional.of(tools.bytes(value)) : Optional.empty());
    }

    /** Stops it, wherever it is: callable from any thread; returns when the script no longer runs. */
    public void stop() {
        context.close(true);
    }

    @Override
    public void close() {
        context.close(true);
    }

    private static <T extends @Nullable Object> T guarded(GuestCall<T> guest) throws ScriptException, StoppedException {
        try {
            return guest.run();
        } catch (RejectedException e) {
            throw new ScriptException(String.valueOf(e.getMessage()), e);
        } catch (PolyglotException e) {
            if (e.isCancelled() || e.isInterrupted()) {
                throw new StoppedException(e);
            }
            if (e.isInternalError()) {
                throw new IllegalStateException("the script engine failed: " + e.getMessage(), e);
            }
            throw new ScriptException(GuestTools.stackOf(e), e);
        } catch (IllegalStateException e) {
            // A context that is closed says so with this type.
            if (e.getMessage() != null && e.getMessage().contains("closed")) {
                throw new StoppedException(e);
            }
            throw e;
        }
    }

    private interface GuestCall<T extends @Nullable Object> {
        T run() throws ScriptException;
    }

    private static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RejectedException(String message) {
            super(message);
        }
    }

    /** Takes the outcome of a promise. */
    private static final class Settlement implements ProxyExecutable {
        private @Nullable Value result;
        private @Nullable Value rejection;

        @Override
        public @Nullable Object execute(Value... arguments) {
            if (arguments[0].asBoolean()) {
                result = arguments[1];
            } else {
                rejection = arguments[1];
            }
            return null;
        }
    }
}
