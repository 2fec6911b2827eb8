import { type ClassType, Field, ObjectType } from 'type-graphql';
import { RequiredField } from '../../kernel/entities/column-decorators.js';
import { Base62Id } from '../../kernel/ids.js';
import type { Lean } from '../../kernel/reading/reader.js';

export interface LatestResults<Result> {
  results: Lean<Result>[];
  resultsVersion: string;
  tenantId: string;
}

/** The GraphQL type of the latest results of a workspace. `what` begins its description. */
export function latestResultsType<Result extends object>(
  result: ClassType<Result>,
  name: string,
  what: string,
): ClassType<LatestResults<Result>> {
  @ObjectType(name, { simpleResolvers: true, description: `${what} by each contract of the workspace catalog.` })
  class Results {
    @Field(() => [result], { description: 'The oldest table first, and of a table by scope.' })
    results: Lean<Result>[];

    @RequiredField('Changes when a result comes in, is replaced or leaves, and not otherwise.')
    resultsVersion: string;

    @RequiredField('The workspace.', () => Base62Id)
    tenantId: string;
  }
  return Results;
}
