package dev.sekisho.idp.oauth;

/** The body of a request to a form endpoint: read, or the reason why it cannot be. */
public sealed interface RequestBody {
    /** A form. */
    record Form(Parameters parameters) implements RequestBody {}

    /** No form. The reason is said to authenticated clients. */
    record Unreadable(String reason) implements RequestBody {}
}
