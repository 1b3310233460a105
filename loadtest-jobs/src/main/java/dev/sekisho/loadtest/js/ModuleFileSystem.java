package dev.sekisho.loadtest.js;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;

/** The files that imports find: those of the machine, to read only, and the built-in modules. */
final class ModuleFileSystem implements FileSystem {
    // A folder that no machine has; under it the built-in modules lie by name.
    private static final Path BUILTIN = Path.of("/\u0001builtin");

    private final FileSystem files = FileSystem.newReadOnlyFileSystem(FileSystem.newDefaultFileSystem());

    @Override
    public Path parsePath(URI uri) {
        return files.parsePath(uri);
    }

    @Override
    public Path parsePath(String path) {
        return BuiltinModules.has(path) ? BUILTIN.resolve(path) : files.parsePath(path);
    }

    private static boolean builtin(Path path) {
        return path.startsWith(BUILTIN);
    }

    private static byte[] source(Path path) throws IOException {
        String name = BUILTIN.relativize(path).toString();
        if (!BuiltinModules.has(name)) {
            throw new NoSuchFileException(name);
        }
        return BuiltinModules.source(name);
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... linkOptions) throws IOException {
        if (builtin(path)) {
            source(path);
        } else {
            files.checkAccess(path, modes, linkOptions);
        }
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return builtin(path) ? new MemoryChannel(source(path)) : files.newByteChannel(path, options, attributes);
    }

    @Override
    public Path toAbsolutePath(Path path) {
        return builtin(path) ? path : files.toAbsolutePath(path);
    }

    @Override
    public Path toRealPath(Path path, LinkOption... linkOptions) throws IOException {
        return builtin(path) ? path : files.toRealPath(path, linkOptions);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        if (builtin(path)) {
            return Map.of("isRegularFile", true, "isDirectory", false, "size", (long) source(path).length);
        }
        return files.readAttributes(path, attributes, options);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        files.createDirectory(directory, attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return files.newDirectoryStream(directory, filter);
    }

    @Override
    public void setCurrentWorkingDirectory(Path directory) {
        files.setCurrentWorkingDirectory(directory);
    }

    @Override
    public String getMimeType(Path path) {
        return "application/javascript+module";
    }

    @Override
    public Charset getEncoding(Path path) {
        return StandardCharsets.UTF_8;
    }

    /** A file in memory, to read only. */
    private static final class MemoryChannel implements SeekableByteChannel {
        private final ByteBuffer content;
        private boolean open = true;

        MemoryChannel(byte[] content) {
            this.content = ByteBuffer.wrap(content).asReadOnlyBuffer();
        }

        @Override
        public int read(ByteBuffer target) {
            if (!content.hasRemaining()) {
                return -1;
            }
            int count = Math.min(target.remaining(), content.remaining());
            target.put(content.slice(content.position(), count));
            content.position(content.position() + count);
            return count;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            throw new IOException("read-only");
        }

        @Override
        public long position() {
            return content.position();
        }

        @Override
        public SeekableByteChannel position(long position) {
            content.position((int) Math.min(position, content.limit()));
            return this;
        }

        @Override
        public long size() {
            return content.limit();
        }

        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            throw new IOException("read-only");
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
