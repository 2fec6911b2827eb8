import type { EntityClass } from '@mikro-orm/core';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { AppError } from '../kernel/errors.js';
import { Base62Id, decodeId } from '../kernel/ids.js';
import { Limits } from '../kernel/limits.js';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../kernel/paging.js';
import { readInstant } from '../kernel/read-instant.js';
import type { Lean, Reader } from '../kernel/reading.js';
import { DateTime } from '../kernel/scalars.js';
import { readContract } from './existing-contract.js';
import { shownResult, type TableResult } from './latest-results.js';

/** A time and, since runs may share it, the id of a result of that time. */
const CURSOR = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z [0-9A-Za-z]{22}$';
const NO_CURSOR = 'must be `next` of another page';

@ArgsType()
export class HistoryArgs {
  @Field(() => Base62Id, { description: 'Id of the contract.' })
  contractId: string;

  @Field(() => DateTime, { nullable: true, description: 'Only results of before this time.' })
  before?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: '`next` of the page before: goes on behind it, also amid results of one time.',
  })
  @Limits({ pattern: CURSOR, says: NO_CURSOR })
  after?: string | null;

  @Field(() => Int, { description: 'Results on a page, 1 to 250.', defaultValue: PAGE_SIZE })
  @Limits({ minimum: 1, maximum: PAGE_SIZE_MAX })
  limit: number;
}

export interface HistoryOf<Result> {
  items: Lean<Result>[];
  next?: string;
}

/** The GraphQL type of some of the history of a contract. */
export function historyType<Result extends object>(
  result: ClassType<Result>,
  name: string,
): ClassType<HistoryOf<Result>> {
  @ObjectType(name, { simpleResolvers: true, description: 'Results by one contract, the newest first.' })
  class History {
    @Field(() => [result], { description: 'The results.' })
    items: Lean<Result>[];

    @Field(() => String, { nullable: true, description: '`after` of the next page; missing on the last one.' })
    next?: string;
  }
  return History;
}

/** Throws BAD_REQUEST and NOT_FOUND. */
export async function readHistory<Result extends TableResult>(
  read: Reader,
  kind: EntityClass<Result>,
  { contractId, before, after, limit }: HistoryArgs,
): Promise<HistoryOf<Result>> {
  const place = after ? readCursor(after) : undefined;
  const contract = await readContract(read, contractId);
  const conditions = ['contract_id = $1'];
  const values: unknown[] = [decodeId(contractId)];
  if (before) {
    values.push(before);
    conditions.push(`captured_at < $${values.length}`);
  }
  if (place) {
    values.push(...place);
    const [at, last] = [`$${values.length - 1}`, `$${values.length}`];
    conditions.push(`captured_at <= ${at} and (captured_at < ${at} or id > ${last})`);
  }
  const found = await read.select(kind, { where: conditions.join(' and '), limit: limit + 1 }, values);
  const items = found.slice(0, limit).map((row) => shownResult(row, contract.scope));
  if (found.length <= limit) return { items };
  const last = items.at(-1) as { capturedAt: string; id: string } | undefined;
  return { items, next: `${last?.capturedAt} ${last?.id}` };
}

/** The time and the id, as the database has it. */
function readCursor(after: string): [Date, string] {
  const [time = '', id = ''] = after.split(' ');
  const [at, uuid] = [readInstant(time), decodeId(id)];
  if (!at || !uuid) throw new AppError('BAD_REQUEST', `after ${NO_CURSOR}.`);
  return [at, uuid];
}
