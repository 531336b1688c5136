// Checks values against the schemas of doc/schemas. As in test/schemas.py, names that a schema does not list are
// errors, and so are words of JSON Schema that are not known here.
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('../../doc/schemas/', import.meta.url).pathname;
const schemas = Object.fromEntries(readdirSync(FOLDER).map((name) => [name, JSON.parse(readFileSync(FOLDER + name, 'utf8'))]));
const KNOWN = new Set(['$schema', '$id', 'title', '$defs', '$ref', 'type', 'required', 'properties', 'items', 'additionalProperties', 'enum', 'const', 'minimum', 'maximum', 'minItems', 'pattern']);
const is_type = (value, name) => ({
  object: value !== null && typeof value === 'object' && !Array.isArray(value), array: Array.isArray(value), string: typeof value === 'string', boolean: typeof value === 'boolean',
  null: value === null, number: typeof value === 'number', integer: Number.isInteger(value) })[name];

function resolve(reference, root) {
  const [name, path] = reference.split('#'), other = name ? schemas[name] : root;
  return [(path || '').split('/').slice(1).reduce((schema, part) => schema[part], other), other];
}
function check(value, schema, root, where, wrong) {
  const say = (text) => wrong.push(`${where}: ${JSON.stringify(value)?.slice(0, 60)} ${text}`);
  for (const word of Object.keys(schema)) if (!KNOWN.has(word)) wrong.push(`${where}: what is ${word}?`);
  if (schema.$ref) check(value, ...resolve(schema.$ref, root), where, wrong);
  if (schema.type && ![schema.type].flat().some((name) => is_type(value, name))) return say(`is no ${schema.type}`);
  if ('const' in schema && value !== schema.const) say(`is not ${schema.const}`);
  if (schema.enum && !schema.enum.includes(value)) say(`is none of ${schema.enum}`);
  if (value < schema.minimum || value > schema.maximum) say('is out of range');
  if (schema.pattern && typeof value === 'string' && !new RegExp(schema.pattern).test(value)) say('has another form');
  if (is_type(value, 'object') && schema.properties) {
    for (const name of schema.required || []) if (!(name in value)) say(`has no ${name}`);
    for (const [name, part] of Object.entries(value))
      if (schema.properties[name]) check(part, schema.properties[name], root, `${where}.${name}`, wrong);
      else if (!schema.additionalProperties) say(`has ${name}, which the schema does not list`);
  }
  if (is_type(value, 'object') && !schema.properties && typeof schema.additionalProperties === 'object')
    for (const [name, part] of Object.entries(value)) check(part, schema.additionalProperties, root, `${where}.${name}`, wrong);
  if (Array.isArray(value) && schema.items) value.forEach((part, i) => check(part, schema.items, root, `${where}[${i}]`, wrong));
  return undefined;
}

const service = schemas['service-1.json'];
// What is wrong with a value, one of the definitions of the messages, or the parameters or the result of a method.
export function mistakes(value, what, part) {
  const schema = part ? service.properties.methods.properties[what]?.properties[part] : service.$defs[what], wrong = [];
  if (!schema) return [`the schema has no ${what}`];
  check(value, schema, service, what, wrong);
  return wrong;
}
export const METHODS = Object.keys(service.properties.methods.properties);
