-- Names a tenant's content: made anew by each write, never the same twice. The version does not: when a standby that
-- had not received the last commit takes over, the next write gets the number of the lost one. A trigger, so that
-- writes of runtimes that do not know the column count too. The incarnation, which the revision makes superfluous,
-- stays for them.

alter table tenant add column revision uuid not null default gen_random_uuid();

create function tenant_revise() returns trigger language plpgsql as $$
begin
    new.revision := gen_random_uuid();
    return new;
end
$$;

create trigger tenant_revise before update on tenant for each row execute function tenant_revise();
