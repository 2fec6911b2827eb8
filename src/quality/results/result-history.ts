import type { EntityClass } from '@mikro-orm/core';
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { Limits } from '../../kernel/entities/field-limits.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { AppError } from '../../kernel/errors.js';
import { parseTimestamp } from '../../kernel/formats/parse-timestamp.js';
import { Base62Id, decodeId } from '../../kernel/ids.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../kernel/reading/paging.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { readContract } from '../contracts/read-contract.js';
import { presentResult, type TableResult } from './latest-results.js';

/** Time and id of a result, because several results may have the same time. */
const CURSOR_PATTERN = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z [0-9A-Za-z]{22}$';
const CURSOR_MESSAGE = 'must be the `next` value of an earlier page';

@ArgsType()
export class HistoryArgs {
  @Field(() => Base62Id, { description: 'Id of the contract.' })
  contractId: string;

  @Field(() => DateTime, { nullable: true, description: 'Returns only results that were captured before this time.' })
  before?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor: `next` of the previous page. Returns the results after that page.',
  })
  @Limits({ pattern: CURSOR_PATTERN, says: CURSOR_MESSAGE })
  after?: string | null;

  @Field(() => Int, { description: 'Maximum number of results per page, 1 to 250.', defaultValue: DEFAULT_PAGE_SIZE })
  @Limits({ minimum: 1, maximum: MAX_PAGE_SIZE })
  limit: number;
}

export interface ResultHistory<Result> {
  items: Lean<Result>[];
  next?: string;
}

export function resultHistoryType<Result extends object>(
  result: ClassType<Result>,
  name: string,
): ClassType<ResultHistory<Result>> {
  @ObjectType(name, { simpleResolvers: true, description: 'Page of stored results of a contract, newest first.' })
  class History {
    @Field(() => [result], { description: 'Results of the page.' })
    items: Lean<Result>[];

    @Field(() => String, {
      nullable: true,
      description: 'Cursor for `after` to get the next page. Null on the last page.',
    })
    next?: string;
  }
  return History;
}

/** Throws BAD_REQUEST and NOT_FOUND. */
export async function readResultHistory<Result extends TableResult>(
  read: Reader,
  kind: EntityClass<Result>,
  { contractId, before, after, limit }: HistoryArgs,
): Promise<ResultHistory<Result>> {
  const cursor = after ? readCursor(after) : undefined;
  const contract = await readContract(read, contractId);
  const conditions = ['contract_id = $1'];
  const values: unknown[] = [decodeId(contractId)];
  if (before) {
    values.push(before);
    conditions.push(`captured_at < $${values.length}`);
  }
  if (cursor) {
    values.push(...cursor);
    const [at, last] = [`$${values.length - 1}`, `$${values.length}`];
    conditions.push(`captured_at <= ${at} and (captured_at < ${at} or id > ${last})`);
  }
  const found = await read.select(kind, { where: conditions.join(' and '), limit: limit + 1 }, values);
  const items = found.slice(0, limit).map((row) => presentResult(row, contract.scope));
  if (found.length <= limit) return { items };
  const last = items.at(-1) as { capturedAt: string; id: string } | undefined;
  return { items, next: `${last?.capturedAt} ${last?.id}` };
}

/** Returns the time and the id (a UUID) of the result that the cursor names. Throws BAD_REQUEST. */
function readCursor(after: string): [Date, string] {
  const [time = '', id = ''] = after.split(' ');
  const [at, uuid] = [parseTimestamp(time), decodeId(id)];
  if (!at || !uuid) throw new AppError('BAD_REQUEST', `after ${CURSOR_MESSAGE}.`);
  return [at, uuid];
}
