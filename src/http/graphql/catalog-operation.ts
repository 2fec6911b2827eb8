import {
  type DocumentNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isOfCatalog } from '../../catalog/of-catalog.js';
import { type AccessRule, accessRuleOf } from '../../tenancy/access.js';

/**
 * Returns the access rules of a query that selects only fields with `OfCatalog`. All callers who satisfy these rules
 * receive the same response until the catalog changes. Returns undefined for any other operation. The document must be
 * valid.
 */
export function catalogRulesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlySet<AccessRule> | undefined {
  if (operation.operation !== 'query') return undefined;
  const own = separateOperations(document)[operation.name?.value ?? ''];
  if (!own) return undefined;
  const rules = new Set<AccessRule>();
  let isCatalog = true;
  const types = new TypeInfo(schema);
  const Field = ({ name }: { name: { value: string } }): void => {
    if (name.value === '__typename') return;
    const parent = types.getParentType();
    const field = isObjectType(parent) ? parent.getFields()[name.value] : undefined;
    // A field without a resolver is a part of its parent object.
    const isPart = parent !== schema.getQueryType() && field && !field.resolve;
    if (!field || !(isPart || isOfCatalog(field))) isCatalog = false;
    else rules.add(accessRuleOf(field) ?? 'public');
  };
  visit(own, visitWithTypeInfo(types, { [Kind.FIELD]: Field }));
  return isCatalog ? rules : undefined;
}
