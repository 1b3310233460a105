-- Every table of a tenant's data carries tenant_id and is under FORCE row-level security: whoever has not said as which
-- tenant it acts (app.tenant_id) gets an error, never rows. The setting is empty, not null, after its transaction, so
-- it is the cast to uuid that fails then. Keys, unique constraints and foreign keys contain the tenant, because the
-- checks behind them bypass policies.

create table tenant (
    tenant_id uuid primary key,
    tenant_name text not null,
    owner text not null,
    display_name text not null default '',
    state text not null check (state in ('ACTIVE', 'SUSPENDED', 'RETAINED')),
    access_token_lifetime_seconds integer not null check (access_token_lifetime_seconds between 1 and 86400),
    signing_algorithm text not null check (signing_algorithm in ('ES256', 'RS256')),
    incarnation uuid not null default gen_random_uuid(),
    version bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table client (
    tenant_id uuid not null references tenant (tenant_id) on delete cascade,
    client_id text not null,
    name text not null default '',
    grants text[] not null,
    redirect_uris text[] not null,
    scopes text[] not null,
    auth_method text not null,
    secret_sha256 text check (secret_sha256 ~ '^[0-9a-f]{64}$'),
    primary key (tenant_id, client_id)
);

create table signing_key (
    tenant_id uuid not null references tenant (tenant_id) on delete cascade,
    kid text not null,
    algorithm text not null check (algorithm in ('ES256', 'RS256')),
    state text not null check (state in ('NEXT', 'ACTIVE', 'RETIRED')),
    public_jwk text not null,
    sealed_private_key text not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, kid)
);

create unique index signing_key_one_active on signing_key (tenant_id, algorithm) where state = 'ACTIVE';

alter table tenant enable row level security;
alter table tenant force row level security;
create policy tenant_isolation on tenant
    using (tenant_id = (select current_setting('app.tenant_id'))::uuid)
    with check (tenant_id = (select current_setting('app.tenant_id'))::uuid);

alter table client enable row level security;
alter table client force row level security;
create policy tenant_isolation on client
    using (tenant_id = (select current_setting('app.tenant_id'))::uuid)
    with check (tenant_id = (select current_setting('app.tenant_id'))::uuid);

alter table signing_key enable row level security;
alter table signing_key force row level security;
create policy tenant_isolation on signing_key
    using (tenant_id = (select current_setting('app.tenant_id'))::uuid)
    with check (tenant_id = (select current_setting('app.tenant_id'))::uuid);

grant usage on schema sekisho to sekisho_runtime;
grant select, insert, update, delete on tenant, client, signing_key to sekisho_runtime;
