-- The public keys of a client that authenticates by private_key_jwt (RFC 7523); null for one that has a secret.
alter table client add column jwks jsonb;
