import { Migration } from '@mikro-orm/migrations';

export class Migration20261122202659_announce_changes extends Migration {

  override name = 'Migration20261122202659_announce_changes';

  override up(): void | Promise<void> {
    this.addSql(`create or replace function "tenant_connector_instance_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'TenantConnectorInstance', new.tenant_id, new.id)); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "tenant_connector_instance" for each ROW execute function "tenant_connector_instance_announce_change_fn"();`);

    this.addSql(`create or replace function "sync_job_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'SyncJob', new.tenant_id, new.id, new.instance_id)); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "sync_job" for each ROW execute function "sync_job_announce_change_fn"();`);

    this.addSql(`create or replace function "credential_metadata_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'TenantConnectorInstance', new.tenant_id, new.instance_id)); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "credential_metadata" for each ROW execute function "credential_metadata_announce_change_fn"();`);

    this.addSql(`create or replace function "credential_validation_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'TenantConnectorInstance', new.tenant_id, (select c.instance_id from credential_metadata c where c.tenant_id = new.tenant_id and c.id = new.credential_id))); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT on "credential_validation" for each ROW execute function "credential_validation_announce_change_fn"();`);

    this.addSql(`create or replace function "tenant_connector_tap_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'TenantConnectorInstance', new.tenant_id, new.instance_id)); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "tenant_connector_tap" for each ROW execute function "tenant_connector_tap_announce_change_fn"();`);

    this.addSql(`create or replace function "publication_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'Publication', new.tenant_id, new.id, new.tap_id)); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "publication" for each ROW execute function "publication_announce_change_fn"();`);

    this.addSql(`create or replace function "table_quality_result_announce_change_fn"() returns trigger as \$\$ begin perform pg_notify('taproot_changes', concat_ws(' ', 'TableQualityResult', new.tenant_id, new.id, (select k.table_id from table_contract k where k.tenant_id = new.tenant_id and k.id = new.contract_id))); return null; end; \$\$ language plpgsql;`);
    this.addSql(`create trigger "announce_change" AFTER INSERT OR UPDATE on "table_quality_result" for each ROW execute function "table_quality_result_announce_change_fn"();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "announce_change" on "credential_metadata";`);
    this.addSql(`drop function if exists "credential_metadata_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "credential_validation";`);
    this.addSql(`drop function if exists "credential_validation_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "publication";`);
    this.addSql(`drop function if exists "publication_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "sync_job";`);
    this.addSql(`drop function if exists "sync_job_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "table_quality_result";`);
    this.addSql(`drop function if exists "table_quality_result_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "tenant_connector_instance";`);
    this.addSql(`drop function if exists "tenant_connector_instance_announce_change_fn"();`);

    this.addSql(`drop trigger if exists "announce_change" on "tenant_connector_tap";`);
    this.addSql(`drop function if exists "tenant_connector_tap_announce_change_fn"();`);
  }

}
