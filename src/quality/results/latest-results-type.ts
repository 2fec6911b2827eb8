import { type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { RequiredField } from '../../kernel/entities/column-decorators.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';

export interface LatestResults<Result> {
  results: Lean<Result>[];
  resultsVersion: string;
  /** Undefined if the query does not select it. */
  total: number | undefined;
  tenantId: string;
}

/** `subject` is the start of the type's description. */
export function latestResultsType<Result extends object>(
  result: ClassType<Result>,
  name: string,
  subject: string,
): ClassType<LatestResults<Result>> {
  @ObjectType(name, {
    simpleResolvers: true,
    description: `${subject} of the tables in the workspace catalog, per contract.`,
  })
  class Results {
    @Field(() => [result], {
      description:
        'Results, oldest table first, then by scope. Each contract has up to two results: the latest result that the service computed, and the latest result that an external job reported.',
    })
    results: Lean<Result>[];

    @RequiredField('Version of the list. The version changes only if a result is added, replaced or removed.')
    resultsVersion: string;

    @Field(() => Int, {
      description: 'Number of results on all pages.',
    })
    total: number;

    @RequiredField('Id of the workspace.', () => Base62Id)
    tenantId: string;
  }
  return Results;
}
