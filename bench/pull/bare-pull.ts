import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampTZValue } from '@duckdb/node-api';
import { Agent, request } from 'undici';

// The baseline reads all pages of the vendor with `undici`, and writes the records to one Parquet file with DuckDB.
const [origin = ''] = process.argv.slice(2);
const agent = new Agent({ connections: 1 });
const path = join(tmpdir(), `bare-pull-${process.pid}.parquet`);
const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
await connection.run(
  'create table records (id bigint, name varchar, amount double, "at" timestamptz, email varchar, active boolean, tags varchar)',
);
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const appender = await connection.createAppender('records');
for (let cursor: number | null = 0; cursor !== null; ) {
  const { body } = await request(`${origin}/records?cursor=${cursor}`, { dispatcher: agent });
  // biome-ignore lint/suspicious/noExplicitAny: any response
  const page: any = await body.json();
  for (const { id, name, amount, at, email, active, tags } of page.items) {
    appender.appendBigInt(BigInt(id));
    appender.appendVarchar(name);
    appender.appendDouble(amount);
    appender.appendTimestampTZ(new DuckDBTimestampTZValue(BigInt(Date.parse(at)) * 1_000n));
    appender.appendVarchar(email);
    appender.appendBoolean(active);
    appender.appendVarchar(JSON.stringify(tags));
    appender.endRow();
  }
  cursor = page.next;
}
appender.closeSync();
await connection.run(`copy records to '${path}' (format parquet, compression zstd)`);
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(cpuBefore);
await agent.close();
await rm(path);
console.log(JSON.stringify({ seconds, processor: (user + system) / 1e6 }));
