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

/** Throws BAD_REQUEST where a value is not of the type, naming place and type, and nothing of the value. */
export function checkVariable(name: string, value: unknown, type: GraphQLInputType): void {
  const refuse = (path: Path, found: unknown, error: GraphQLError): never => {
    const place = [`$${name}`, ...path].join('.');
    throw new AppError('BAD_REQUEST', `${place} ${faultOf(found, typeAt(type, path), error)}`);
  };
  coerceInputValue(value, type, refuse, true);
}

/** Of an input object that has too much or too little, `found` is the object: its own names are the client's. */
function faultOf(found: unknown, type: GraphQLInputType, { originalError }: GraphQLError): string {
  if (originalError instanceof AppError) return `is refused: ${originalError.message}`; // a sentence of our own scalars
  const named = getNamedType(type);
  if (isInputObjectType(named) && isRecord(found)) {
    const fields = Object.values(named.getFields());
    const missing = fields.find((field) => isRequiredInputField(field) && found[field.name] === undefined);
    if (missing) return `lacks ${missing.name}, a ${missing.type}.`;
    return `has a field that is none of ${named.name}: ${fields.map((field) => field.name).join(', ')}.`;
  }
  if (isEnumType(named))
    return `must be a ${type}: ${named
      .getValues()
      .map((value) => value.name)
      .join(', ')}.`;
  return `is not a valid ${type}.`;
}

function typeAt(type: GraphQLInputType, path: Path): GraphQLInputType {
  return path.reduce<GraphQLInputType>((outer, key) => {
    if (typeof key === 'number') return (getNullableType(outer) as GraphQLList<GraphQLInputType>).ofType;
    const named = getNamedType(outer); // one item may stand for a list of one
    return (isInputObjectType(named) && named.getFields()[key]?.type) || outer;
  }, type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
