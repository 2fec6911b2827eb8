import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLList,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isRequiredInputField,
} from 'graphql';
import { AppError } from '../../kernel/errors.js';

type Path = readonly (string | number)[];

/** Throws BAD_REQUEST if the value does not have the type. The message never contains the value. */
export function checkVariable(name: string, value: unknown, type: GraphQLInputType): void {
  const refuse = (path: Path, found: unknown, error: GraphQLError): never => {
    const place = [`$${name}`, ...path].join('.');
    throw new AppError('BAD_REQUEST', `${place} ${faultOf(found, typeAt(type, path), error)}`);
  };
  coerceInputValue(value, type, refuse, true);
}

/**
 * `found` is the invalid value. If an input object lacks a field or has an unknown field, `found` is the object. The
 * client chooses the names of unknown fields, so messages omit them.
 */
function faultOf(found: unknown, type: GraphQLInputType, { originalError }: GraphQLError): string {
  // Messages of this service's scalars do not contain the value.
  if (originalError instanceof AppError) return `is invalid: ${originalError.message}`;
  const named = getNamedType(type);
  if (isInputObjectType(named) && isRecord(found)) {
    const fields = Object.values(named.getFields());
    const missing = fields.find((field) => isRequiredInputField(field) && found[field.name] === undefined);
    if (missing) return `lacks the required field ${missing.name} of type ${missing.type}.`;
    return `has an unknown field. The fields of ${named.name} are ${fields.map((field) => field.name).join(', ')}.`;
  }
  if (isEnumType(named))
    return `must be one of ${named
      .getValues()
      .map((value) => value.name)
      .join(', ')} (type ${type}).`;
  return `is not a valid ${type}.`;
}

function typeAt(type: GraphQLInputType, path: Path): GraphQLInputType {
  return path.reduce<GraphQLInputType>((outer, key) => {
    if (typeof key === 'number') return (getNullableType(outer) as GraphQLList<GraphQLInputType>).ofType;
    const named = getNamedType(outer); // GraphQL accepts a single item instead of a list.
    return (isInputObjectType(named) && named.getFields()[key]?.type) || outer;
  }, type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
