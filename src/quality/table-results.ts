import { type ClassType, Field, ObjectType } from 'type-graphql';
import { Required } from '../kernel/columns.js';
import { Base62Id } from '../kernel/ids.js';
import type { Lean } from '../kernel/reading.js';

export interface ResultsOf<Result> {
  results: Lean<Result>[];
  resultsVersion: string;
  tenantId: string;
}

/** The GraphQL type of the latest results of a workspace. `what` begins its description. */
export function resultsType<Result extends object>(
  result: ClassType<Result>,
  name: string,
  what: string,
): ClassType<ResultsOf<Result>> {
  @ObjectType(name, { simpleResolvers: true, description: `${what} by each contract of the workspace catalog.` })
  class Results {
    @Field(() => [result], { description: 'The oldest table first, and of a table by scope.' })
    results: Lean<Result>[];

    @Required('Changes when a result comes in, is replaced or leaves, and not otherwise.')
    resultsVersion: string;

    @Required('The workspace.', () => Base62Id)
    tenantId: string;
  }
  return Results;
}
