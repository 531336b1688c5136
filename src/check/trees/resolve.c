#include "check/trees/resolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 150 };

void resolver_init(Resolver *r, Mem *mem, Arena *arena, const Net *net,
                   const Document *document) {
  *r = (Resolver){.mem = mem, .arena = arena, .net = net, .document = document};
  r->difference.mem = mem;
  evaluator_init(&r->evaluator, mem);
}

void resolver_gives_up(Resolver *r, Place place, const char *why) {
  if (r->lost)
    return;
  r->lost = why;
  r->lost_place = place;
}

void resolver_differs(Resolver *r, const char *format, ...) {
  va_list arguments;
  if (r->difference.size)
    return;
  va_start(arguments, format);
  text_addv(&r->difference, format, arguments);
  va_end(arguments);
}

// Spaces of names. Equal names are one pointer.

static uint32_t bucket(const char *name) {
  const uintptr_t bits = (uintptr_t)name;
  return (uint32_t)((bits >> 4) ^ (bits >> 10)) % SPACE_BUCKETS;
}

Space *space_new(Resolver *r, Space *outer) {
  Space *space = ARENA_NEW(r->arena, Space);
  space->outer = outer;
  return space;
}

Named *space_find_here(const Space *space, const char *name) {
  for (Named *n = space->buckets[bucket(name)]; n; n = n->next)
    if (n->name == name)
      return n;
  return NULL;
}

Named *space_find(const Space *space, const char *name) {
  uint32_t limit = UINT32_MAX;
  for (; space; space = space->outer) {
    Named *named = space_find_here(space, name);
    if (named && named->order <= limit)
      return named;
    if (space->limit && space->limit < limit)
      limit = space->limit;
  }
  return NULL;
}

Named *space_add(Resolver *r, Space *space, const char *name, NamedKind kind) {
  Named *named = ARENA_NEW(r->arena, Named);
  named->kind = kind;
  named->name = name;
  named->order = ++r->order;
  named->next = space->buckets[bucket(name)];
  space->buckets[bucket(name)] = named;
  return named;
}

// Terms.

static Term *new_term(Resolver *r, Place place, TermKind kind, TermClass class) {
  Term *t = ARENA_NEW(r->arena, Term);
  t->kind = kind;
  t->class = class;
  t->place = place;
  return t;
}

static const Term *number_term(Resolver *r, Place place, int32_t value) {
  Term *t = new_term(r, place, TERM_NUMBER, CLASS_INT);
  t->value = value;
  return t;
}

static const Term *real_term(Resolver *r, Place place, double value) {
  Term *t = new_term(r, place, TERM_REAL, CLASS_REAL);
  t->real = value;
  return t;
}

// Why nothing is known of the present label; what is returned does not matter.
static const Term *unknown(Resolver *r, Place place, const char *why) {
  if (!r->unknown) {
    r->unknown = why;
    r->unknown_place = place;
  }
  return number_term(r, place, 0);
}

static const char real_numbers[] = "it depends on real numbers";

static const Term *unknown_real(Resolver *r, Place place, const Shape *shape) {
  Term *t = new_term(r, place, TERM_UNKNOWN, CLASS_REAL);
  t->shape = shape;
  return t;
}

// What a real constant with this value is.
static const Term *known_real(Resolver *r, const Term *t, const Shape *shape) {
  if (t->kind == TERM_NUMBER && shape->kind == SHAPE_REAL)
    return real_term(r, t->place, t->value);
  return t->kind == TERM_REAL ? t : unknown_real(r, t->place, shape);
}

static void inherit(Term *t) {
  const Term *parts[] = {t->a, t->b, t->c};
  for (int i = 0; i < 3; i++)
    if (parts[i]) {
      t->is_timed |= parts[i]->is_timed;
      t->has_effect |= parts[i]->has_effect;
    }
}

static TermClass class_of(const Shape *shape) {
  const Shape *leaf = shape;
  while (leaf->kind == SHAPE_ARRAY)
    leaf = leaf->element;
  if (leaf->kind == SHAPE_CHANNEL)
    return CLASS_CHANNEL;
  if (leaf->kind == SHAPE_REAL || (leaf->kind == SHAPE_CLOCK && leaf->is_hybrid))
    return CLASS_REAL;
  if (shape->kind == SHAPE_CLOCK)
    return CLASS_CLOCKS;
  return shape->kind == SHAPE_INT    ? CLASS_INT
         : shape->kind == SHAPE_VOID ? CLASS_VOID
                                     : CLASS_WHOLE;
}

static Term *stored_term(Resolver *r, Place place, TermKind kind, const Shape *shape) {
  Term *t = new_term(r, place, kind, class_of(shape));
  t->is_stored = true;
  t->shape = shape;
  return t;
}

// a op b, or the part b of a.
static Term *pair_term(Resolver *r, Place place, TermKind kind, ExprKind op, const Term *a,
                       const Term *b) {
  Term *t = new_term(r, place, kind, CLASS_INT);
  t->op = op;
  t->a = a;
  t->b = b;
  inherit(t);
  return t;
}

static const Term *resolve(Resolver *r, Space *space, const Tree *tree);
static const Shape *resolve_shape(Resolver *, Space *, const TypeNode *, const DimNode *);

// A real constant without a fraction is an integer where one is needed.
static const Term *as_whole(Resolver *r, const Term *t) {
  if (t->kind == TERM_REAL && t->real == trunc(t->real) && t->real >= INT32_MIN &&
      t->real <= INT32_MAX)
    return number_term(r, t->place, (int32_t)t->real);
  return t;
}

static const Term *resolve_int(Resolver *r, Space *space, const Tree *tree) {
  const Term *t = as_whole(r, resolve(r, space, tree));
  if (t->class == CLASS_REAL)
    return unknown(r, tree->place, real_numbers);
  return t->class == CLASS_INT ? t : unknown(r, tree->place, "a number is needed");
}

// Constants.

static bool constant_of(Resolver *r, const Term *t, const ResolverFrame *frame, int32_t *value) {
  if (t->kind == TERM_NUMBER) {
    *value = t->value;
    return true;
  }
  return evaluator_constant(&r->evaluator, t, frame->max_data, frame->refs, value);
}

static bool constant_int(Resolver *r, Space *space, const Tree *tree, int32_t *value) {
  ResolverFrame frame = {0}, *outer = r->frame;
  r->frame = &frame;
  const Term *t = resolve_int(r, space, tree);
  r->frame = outer;
  if (!r->unknown && constant_of(r, t, &frame, value))
    return true;
  unknown(r, tree->place, "a constant is not known");
  *value = 0;
  return false;
}

// Shapes.

static const Shape *range_shape(Resolver *r, int32_t low, int32_t high) {
  Shape *shape = ARENA_NEW(r->arena, Shape);
  *shape = (Shape){.kind = SHAPE_INT, .low = low, .high = high, .data = 1};
  return shape;
}

static void int_shape(Resolver *r, Space *space, const TypeNode *node, Shape *shape) {
  shape->kind = SHAPE_INT;
  shape->data = 1;
  shape->is_plain = !node->a;
  shape->low = node->is_const ? INT32_MIN : INT16_MIN;
  shape->high = node->is_const ? INT32_MAX : INT16_MAX;
  if (node->a) {
    constant_int(r, space, node->a, &shape->low);
    constant_int(r, space, node->b, &shape->high);
  }
}

static void struct_shape(Resolver *r, Space *space, const TypeNode *node, Shape *shape) {
  uint32_t count = 0;
  for (const VarNode *f = node->fields; f; f = f->next)
    count++;
  ShapeField *fields = ARENA_ARRAY(r->arena, ShapeField, count);
  shape->kind = SHAPE_STRUCT;
  shape->fields = fields;
  shape->count = count;
  uint32_t k = 0;
  for (const VarNode *f = node->fields; f; f = f->next, k++) {
    const Shape *part = resolve_shape(r, space, f->type, f->dims);
    fields[k] = (ShapeField){f->name, part, shape->data, shape->clocks, shape->channels};
    shape->data += part->data;
    shape->clocks += part->clocks;
    shape->channels += part->channels;
    shape->has_real |= part->has_real;
  }
}

static const struct {
  const char *name;
  int32_t low, high; // a type, unless they are equal
} known[] = {
    {"INT8_MIN", -128, -128},
    {"INT8_MAX", 127, 127},
    {"UINT8_MAX", 255, 255},
    {"INT16_MIN", -32768, -32768},
    {"INT16_MAX", 32767, 32767},
    {"UINT16_MAX", 65535, 65535},
    {"INT32_MIN", INT32_MIN, INT32_MIN},
    {"INT32_MAX", INT32_MAX, INT32_MAX},
    {"int8_t", -128, 127},
    {"uint8_t", 0, 255},
    {"int16_t", -32768, 32767},
    {"uint16_t", 0, 65535},
    {"int32_t", INT32_MIN, INT32_MAX},
};

static void named_shape(Resolver *r, Space *space, const TypeNode *node, Shape *shape) {
  const Named *named = space_find(space, node->name);
  if (named && named->kind == NAMED_TYPE) {
    *shape = *named->shape;
    if (shape->kind == SHAPE_INT && shape->is_plain && node->is_const) {
      shape->low = INT32_MIN;
      shape->high = INT32_MAX;
    }
    return;
  }
  *shape = (Shape){.kind = SHAPE_INT, .data = 1};
  for (size_t k = 0; !named && k < sizeof known / sizeof *known; k++)
    if (known[k].low != known[k].high && !strcmp(known[k].name, node->name)) {
      shape->low = known[k].low;
      shape->high = known[k].high;
      return;
    }
  unknown(r, node->place, "a type is not known");
}

static void base_shape(Resolver *r, Space *space, const TypeNode *node, Shape *shape) {
  int32_t size = 1;
  switch (node->kind) {
  case TYPENODE_INT:
    int_shape(r, space, node, shape);
    break;
  case TYPENODE_BOOL:
    *shape = (Shape){.kind = SHAPE_INT, .is_bool = true, .high = 1, .data = 1};
    break;
  case TYPENODE_CLOCK:
    *shape = (Shape){.kind = SHAPE_CLOCK, .clocks = !node->is_hybrid};
    break;
  case TYPENODE_CHAN:
    *shape = (Shape){.kind = SHAPE_CHANNEL, .channels = 1};
    break;
  case TYPENODE_SCALAR:
    constant_int(r, space, node->a, &size);
    *shape = (Shape){.kind = SHAPE_INT, .high = size - 1, .data = 1};
    break;
  case TYPENODE_STRUCT:
    struct_shape(r, space, node, shape);
    break;
  case TYPENODE_NAME:
    named_shape(r, space, node, shape);
    break;
  case TYPENODE_DOUBLE:
    *shape = (Shape){.kind = SHAPE_REAL, .has_real = true};
    break;
  case TYPENODE_VOID:
    break;
  case TYPENODE_STRING:
    unknown(r, node->place, "it has strings");
    break;
  }
}

bool resolve_range(Resolver *r, Space *space, const TypeNode *node, int32_t *low, int32_t *high) {
  const Shape *shape = resolve_shape(r, space, node, NULL);
  if (shape->kind != SHAPE_INT)
    unknown(r, node->place, "a range is needed");
  *low = shape->low <= shape->high ? shape->low : 1;
  *high = shape->low <= shape->high ? shape->high : 0;
  return !r->unknown;
}

// a[2][3] is an array of two arrays of three.
static const Shape *array_shape(Resolver *r, Space *space, const Shape *element,
                                const DimNode *dim) {
  if (!dim)
    return element;
  element = array_shape(r, space, element, dim->next);
  const Named *named = !dim->type && dim->size->kind == NODE_NAME && dim->size->name
                           ? space_find(space, dim->size->name)
                           : NULL;
  int32_t low = 0, high = -1;
  if (dim->type) {
    resolve_range(r, space, dim->type, &low, &high);
  } else if (named && named->kind == NAMED_TYPE) {
    low = named->shape->low;
    high = named->shape->high;
  } else {
    constant_int(r, space, dim->size, &high);
    high--;
  }
  const int64_t count = (int64_t)high - low + 1;
  Shape *shape = ARENA_NEW(r->arena, Shape);
  *shape = (Shape){.kind = SHAPE_ARRAY, .element = element, .first = low};
  if (count > NET_MAX_SLOTS) {
    unknown(r, (Place){0}, "an array is too large");
    return shape;
  }
  shape->count = count > 0 ? (uint32_t)count : 0;
  shape->data = shape->count * element->data;
  shape->clocks = shape->count * element->clocks;
  shape->channels = shape->count * element->channels;
  shape->has_real = element->has_real;
  return shape;
}

static const Shape *resolve_shape(Resolver *r, Space *space, const TypeNode *node,
                                  const DimNode *dims) {
  Shape *base = ARENA_NEW(r->arena, Shape);
  base_shape(r, space, node, base);
  base->is_const |= node->is_const;
  base->is_meta |= node->is_meta;
  base->is_urgent |= node->is_urgent;
  base->is_broadcast |= node->is_broadcast;
  base->is_hybrid |= node->is_hybrid;
  if (base->kind == SHAPE_CLOCK && base->is_hybrid)
    base->clocks = 0;
  const Shape *shape = array_shape(r, space, base, dims);
  if (shape == base)
    return shape;
  Shape *array = ARENA_NEW(r->arena, Shape);
  *array = *shape;
  array->is_const = base->is_const;
  array->is_meta = base->is_meta;
  array->is_urgent = base->is_urgent;
  array->is_broadcast = base->is_broadcast;
  return array;
}

// Names.

static const Term *moved(Resolver *r, const Term *t, Place place) {
  Term *copy = ARENA_NEW(r->arena, Term);
  *copy = *t;
  copy->place = place;
  return copy;
}

static const Term *named_term(Resolver *r, const Named *named, Place place) {
  if (named->kind == NAMED_VALUE)
    return moved(r, named->term, place);
  if (named->kind == NAMED_PROCESSES) {
    Term *t = new_term(r, place, TERM_PROCESS, CLASS_PROCESS);
    t->named = named;
    return t;
  }
  return unknown(r, place, named->unknown ? named->unknown : "a name has no value here");
}

static const Term *resolve_name(Resolver *r, const Space *space, const Tree *tree) {
  const Named *named = tree->name ? space_find(space, tree->name) : NULL;
  double real;
  if (named)
    return named_term(r, named, tree->place);
  for (size_t k = 0; tree->name && k < sizeof known / sizeof *known; k++)
    if (known[k].low == known[k].high && !strcmp(known[k].name, tree->name))
      return number_term(r, tree->place, known[k].low);
  if (tree->name && real_constant(tree->name, &real))
    return real_term(r, tree->place, real);
  return unknown(r, tree->place, "a name is not known");
}

static const Term *index_term(Resolver *r, Place place, const Term *array, const Term *index) {
  if (array->class == CLASS_REAL)
    return unknown_real(r, place,
                        array->shape && array->shape->kind == SHAPE_ARRAY ? array->shape->element
                                                                          : NULL);
  if (!array->shape || array->shape->kind != SHAPE_ARRAY)
    return unknown(r, place, "this is no array");
  Term *t = pair_term(r, place, TERM_INDEX, EXPR_CONST, array, index);
  t->shape = array->shape->element;
  t->class = class_of(t->shape);
  t->is_stored = array->is_stored;
  return t;
}

static const Term *field_term(Resolver *r, Place place, const Term *whole, const char *name) {
  const Shape *shape = whole->shape;
  if (!shape || shape->kind != SHAPE_STRUCT || whole->class != CLASS_WHOLE)
    return unknown(r, place, "this is no struct");
  for (uint32_t k = 0; k < shape->count; k++)
    if (shape->fields[k].name == name) {
      Term *t = pair_term(r, place, TERM_FIELD, EXPR_CONST, whole, NULL);
      t->shape = shape->fields[k].shape;
      t->class = class_of(t->shape);
      t->is_stored = whole->is_stored;
      t->value = (int32_t)k;
      return t;
    }
  return unknown(r, place, "a field is not known");
}

// Parts of processes.

static const Term *process_part(Resolver *r, uint32_t process, const Tree *tree) {
  const ProcessSpaces *spaces = &r->processes[process];
  const Named *named = space_find_here(spaces->own, tree->name);
  if (!named)
    named = space_find_here(spaces->params, tree->name);
  if (!named)
    return unknown(r, tree->place, "a part of a process is not known");
  if (named->kind != NAMED_LOCATION)
    return named_term(r, named, tree->place);
  Term *t = new_term(r, tree->place, TERM_AT, CLASS_INT);
  t->data = process;
  t->value = (int32_t)named->first;
  return t;
}

static const Term *call_function(Resolver *, Space *, Named *, const Tree *);

// P.x, or P.f(...) with arguments of the space.
static const Term *process_part_or_call(Resolver *r, Space *space, uint32_t process,
                                        const Tree *tree) {
  if (tree->kind != NODE_CALL)
    return process_part(r, process, tree);
  Named *named = space_find_here(r->processes[process].own, tree->a->name);
  return named && named->kind == NAMED_FUNCTION
             ? call_function(r, space, named, tree)
             : unknown(r, tree->place,
                       named && named->unknown ? named->unknown : "this is no function");
}

// The part of the process that the arguments from `k` on choose, of those from `first` on.
static const Term *chosen_part(Resolver *r, Space *space, const Term *process, uint32_t k,
                               uint32_t first, const Tree *tree) {
  const Named *named = process->named;
  if (k == named->param_count)
    return process_part_or_call(r, space, first, tree);
  const Shape *range = named->params[k];
  const uint32_t choices = (uint32_t)((int64_t)range->high - range->low + 1);
  uint32_t width = 1;
  for (uint32_t i = k + 1; i < named->param_count; i++)
    width *= (uint32_t)((int64_t)named->params[i]->high - named->params[i]->low + 1);
  const Term *arg = process->args[k];
  if (arg->kind == TERM_NUMBER) {
    if (arg->value < range->low || arg->value > range->high)
      return unknown(r, tree->place, "there is no such process");
    return chosen_part(r, space, process, k + 1,
                       first + (uint32_t)((int64_t)arg->value - range->low) * width, tree);
  }
  const Term **parts = ARENA_ARRAY(r->arena, const Term *, choices);
  for (uint32_t i = 0; i < choices; i++)
    parts[i] = chosen_part(r, space, process, k + 1, first + i * width, tree);
  Term *t = new_term(r, tree->place, TERM_CHOOSE, parts[0]->class);
  t->a = arg;
  t->low = range->low;
  t->args = parts;
  t->arg_count = choices;
  t->shape = parts[0]->shape;
  t->is_stored = parts[0]->is_stored;
  for (uint32_t i = 0; i < choices; i++)
    t->is_timed |= parts[i]->is_timed, t->has_effect |= parts[i]->has_effect;
  return t;
}

static const Term *resolve_dot(Resolver *r, Space *space, const Tree *tree) {
  const Term *whole = resolve(r, space, tree->a);
  if (whole->class != CLASS_PROCESS)
    return field_term(r, tree->place, whole, tree->name);
  if (whole->named->param_count != whole->arg_count)
    return unknown(r, tree->place, "it is not known which process is meant");
  return chosen_part(r, space, whole, 0, whole->named->first, tree);
}

// Calls.

static void resolve_statements(Resolver *, Space *, const StmtNode *, Deed ***end);

static uint32_t new_local(ResolverFrame *frame, uint32_t size) {
  const uint32_t at = frame->data;
  frame->data += size;
  if (frame->data > frame->max_data)
    frame->max_data = frame->data;
  return at;
}

static Term *local_term(Resolver *r, Place place, const Shape *shape, uint32_t at) {
  Term *t = stored_term(r, place, TERM_LOCAL, shape);
  t->data = at;
  return t;
}

static void add_param(Resolver *r, Space *space, const VarNode *param, RoutineParam *made) {
  const Shape *shape = resolve_shape(r, space->outer, param->type, param->dims);
  const TermClass class = class_of(shape);
  *made = (RoutineParam){shape, 0, UINT32_MAX};
  Named *named = space_add(r, space, param->name, NAMED_VALUE);
  if (class == CLASS_REAL) {
    named->term = unknown_real(r, param->place, shape);
    return;
  }
  made->data = new_local(r->frame, shape->data);
  Term *t = local_term(r, param->place, shape, made->data);
  if (param->is_reference && !r->is_query) {
    made->ref = r->frame->refs++;
    t->kind = TERM_REFERENCE;
    t->data = made->ref;
  }
  named->term = t;
}

// The body of a function, once for each process and for queries.
static void make_routine(Resolver *r, Named *named) {
  const FunctionNode *function = named->function;
  Routine *routine = ARENA_NEW(r->arena, Routine);
  const char *outer_unknown = r->unknown;
  const Place outer_place = r->unknown_place;
  ResolverFrame frame = {0}, *outer = r->frame;
  r->unknown = NULL;
  r->frame = &frame;
  for (const VarNode *p = function->params; p; p = p->next)
    routine->param_count++;
  routine->params = ARENA_ARRAY(r->arena, RoutineParam, routine->param_count);
  Space *declared = space_new(r, named->space);
  declared->limit = named->order;
  routine->result = resolve_shape(r, declared, function->result, NULL);
  Space *space = space_new(r, declared);
  uint32_t k = 0;
  for (const VarNode *p = function->params; p; p = p->next)
    add_param(r, space, p, &routine->params[k++]);
  Deed *first = NULL, **end = &first;
  named->is_open = true;
  r->depth++;
  for (const StmtNode *s = function->body->body; s; s = s->next)
    resolve_statements(r, space, s, &end);
  r->depth--;
  named->is_open = false;
  routine->body = first;
  routine->data = frame.max_data;
  routine->refs = frame.refs;
  *(r->is_query ? &named->copied : &named->routine) = routine;
  *(r->is_query ? &named->copied_unknown : &named->routine_unknown) = r->unknown;
  r->unknown = outer_unknown;
  r->unknown_place = outer_place;
  r->frame = outer;
}

static const Term *call_function(Resolver *r, Space *space, Named *named, const Tree *tree) {
  if (named->is_open || r->depth > MAX_DEPTH)
    return unknown(r, tree->place, "a function calls itself");
  if (!(r->is_query ? named->copied : named->routine))
    make_routine(r, named);
  const Routine *routine = r->is_query ? named->copied : named->routine;
  const char *why = r->is_query ? named->copied_unknown : named->routine_unknown;
  if (why)
    return unknown(r, tree->place, why);
  Term *t = new_term(r, tree->place, TERM_CALL, class_of(routine->result));
  t->shape = routine->result;
  t->routine = routine;
  t->has_effect = true;
  t->args = ARENA_ARRAY(r->arena, const Term *, routine->param_count);
  for (const Tree *arg = tree->b; arg; arg = arg->next) {
    if (t->arg_count == routine->param_count)
      return unknown(r, tree->place, "a call has other arguments than the function");
    const RoutineParam *param = &routine->params[t->arg_count];
    const Term *value = param->shape->has_real ? unknown_real(r, arg->place, param->shape)
                                               : as_whole(r, resolve(r, space, arg));
    const bool fits = param->shape->has_real || value->class == class_of(param->shape);
    if (!fits || value->is_timed)
      return unknown(r, arg->place,
                     value->class == CLASS_REAL ? real_numbers : "an argument has another type");
    t->args[t->arg_count++] = value;
  }
  return t->arg_count == routine->param_count
             ? t
             : unknown(r, tree->place, "a call has other arguments than the function");
}

static const Term *call_builtin(Resolver *r, Space *space, const Tree *tree) {
  uint32_t function;
  const char *name = tree->a->name;
  if (real_find(name, &function))
    return unknown_real(r, tree->place, NULL);
  if (strcmp(name, "abs") != 0 || !tree->b || tree->b->next)
    return unknown(r, tree->place, "a function is not known");
  Term *t = new_term(r, tree->place, TERM_ABS, CLASS_INT);
  t->a = resolve_int(r, space, tree->b);
  inherit(t);
  return t;
}

// P(i, j)
static const Term *choose_process(Resolver *r, Space *space, const Named *named,
                                  const Tree *tree) {
  Term *t = new_term(r, tree->place, TERM_PROCESS, CLASS_PROCESS);
  t->named = named;
  t->args = ARENA_ARRAY(r->arena, const Term *, named->param_count);
  for (const Tree *arg = tree->b; arg; arg = arg->next) {
    if (t->arg_count == named->param_count)
      return unknown(r, tree->place, "a process has other parameters");
    t->args[t->arg_count++] = resolve_int(r, space, arg);
  }
  return t;
}

static const Term *resolve_call(Resolver *r, Space *space, const Tree *tree) {
  Named *named = NULL;
  if (tree->a->kind == NODE_NAME && tree->a->name) {
    named = space_find(space, tree->a->name);
    if (!named)
      return call_builtin(r, space, tree);
    if (named->kind == NAMED_PROCESSES)
      return choose_process(r, space, named, tree);
  } else if (tree->a->kind == NODE_DOT) {
    const Term *process = resolve(r, space, tree->a->a);
    if (process->class != CLASS_PROCESS || process->arg_count != process->named->param_count)
      return unknown(r, tree->place, "it is not known which process is meant");
    return chosen_part(r, space, process, 0, process->named->first, tree);
  }
  if (!named || named->kind != NAMED_FUNCTION)
    return unknown(r, tree->place,
                   named && named->unknown ? named->unknown : "this is no function");
  return call_function(r, space, named, tree);
}

// Operators.

static bool as_real(const Term *t, double *value) {
  if (t->kind == TERM_NUMBER)
    *value = t->value;
  else if (t->kind == TERM_REAL)
    *value = t->real;
  else
    return false;
  return true;
}

static const Term *real_operation(Resolver *r, const Tree *tree, const Term *a, const Term *b) {
  const ExprKind op = tree->op;
  const Term *x = as_whole(r, a), *y = as_whole(r, b);
  double left, right;
  if (op >= EXPR_EQ && op <= EXPR_GE && x->class == CLASS_INT && y->class == CLASS_INT)
    return pair_term(r, tree->place, TERM_BINARY, op, x, y);
  if (!as_real(a, &left) || !as_real(b, &right))
    return op >= EXPR_EQ && op <= EXPR_GE ? unknown(r, tree->place, real_numbers)
                                          : unknown_real(r, tree->place, NULL);
  switch (op) {
  case EXPR_ADD:
    return real_term(r, tree->place, left + right);
  case EXPR_SUB:
    return real_term(r, tree->place, left - right);
  case EXPR_MUL:
    return real_term(r, tree->place, left * right);
  case EXPR_DIV:
    return right != 0 ? real_term(r, tree->place, left / right)
                      : unknown(r, tree->place, real_numbers);
  default:
    return unknown(r, tree->place, real_numbers);
  }
}

// x' == rate. What it depends on may be unknown; the invariant is not, therefore.
static const Term *resolve_rate(Resolver *r, Space *space, const Tree *tree) {
  const Tree *left = tree->a->kind == NODE_RATE ? tree->a : tree->b;
  const Tree *right = left == tree->a ? tree->b : tree->a;
  Term *t = new_term(r, tree->place, TERM_RATE, CLASS_INT);
  const Term *clock = resolve(r, space, left->a);
  const Term *rate = resolve_int(r, space, right);
  t->a = clock->class == CLASS_CLOCKS && clock->is_stored ? clock : NULL;
  t->b = r->unknown || rate->is_timed ? NULL : rate;
  r->unknown = NULL;
  return t;
}

static const Term *resolve_binary(Resolver *r, Space *space, const Tree *tree) {
  if (tree->a->kind == NODE_RATE || tree->b->kind == NODE_RATE)
    return resolve_rate(r, space, tree);
  const Term *a = resolve(r, space, tree->a);
  const bool is_logical = tree->op == EXPR_AND || tree->op == EXPR_OR;
  // The left side decides for one process, and there may be no such process on the right.
  if (is_logical && a->kind == TERM_NUMBER && (a->value != 0) == (tree->op == EXPR_OR))
    return number_term(r, tree->place, a->value != 0);
  const Term *b = resolve(r, space, tree->b);
  if (a->class == CLASS_CLOCKS || b->class == CLASS_CLOCKS) {
    a = as_whole(r, a);
    b = as_whole(r, b);
  }
  if (a->class == CLASS_REAL || b->class == CLASS_REAL)
    return real_operation(r, tree, a, b);
  const bool is_comparison = tree->op >= EXPR_EQ && tree->op <= EXPR_GE;
  Term *t = pair_term(r, tree->place,
                      tree->op == EXPR_AND  ? TERM_AND
                      : tree->op == EXPR_OR ? TERM_OR
                                            : TERM_BINARY,
                      tree->op, a, b);
  if (a->class == CLASS_WHOLE && b->class == CLASS_WHOLE &&
      (tree->op == EXPR_EQ || tree->op == EXPR_NE) && a->shape->data == b->shape->data &&
      a->shape->clocks == b->shape->clocks) {
    t->kind = TERM_SAME;
    t->is_timed = a->shape->clocks;
    return t;
  }
  const bool has_clocks = a->class == CLASS_CLOCKS || b->class == CLASS_CLOCKS;
  if (!has_clocks)
    return a->class == CLASS_INT && b->class == CLASS_INT
               ? t
               : unknown(r, tree->place, "an operator has other operands");
  const bool fits = (a->class == CLASS_CLOCKS || a->class == CLASS_INT) &&
                    (b->class == CLASS_CLOCKS || b->class == CLASS_INT) && !a->is_timed &&
                    !b->is_timed;
  if (!fits || (!is_comparison && tree->op != EXPR_ADD && tree->op != EXPR_SUB))
    return unknown(r, tree->place, "an operator of clocks");
  t->is_timed = is_comparison;
  t->class = is_comparison ? CLASS_INT : CLASS_CLOCKS;
  return t;
}

static const Term *resolve_unary(Resolver *r, Space *space, const Tree *tree) {
  const Term *a = resolve(r, space, tree->a);
  if (tree->op != EXPR_NOT && a->class == CLASS_REAL)
    return a->kind == TERM_REAL ? real_term(r, tree->place, -a->real)
                                : unknown_real(r, tree->place, NULL);
  if (a->class != CLASS_INT && (tree->op == EXPR_NOT || a->class != CLASS_CLOCKS))
    return unknown(r, tree->place, "an operator has another operand");
  if (tree->op != EXPR_NOT && a->kind == TERM_NUMBER && a->value != INT32_MIN)
    return number_term(r, tree->place, -a->value);
  Term *t = new_term(r, tree->place, tree->op == EXPR_NOT ? TERM_NOT : TERM_NEG, a->class);
  t->a = a;
  inherit(t);
  return t;
}

static const Term *two_conditions(Resolver *r, Space *space, const Tree *tree, TermKind kind) {
  const Term *a = resolve(r, space, tree->a);
  if (kind == TERM_IMPLY && a->kind == TERM_NUMBER && !a->value)
    return number_term(r, tree->place, 1);
  const Term *b = resolve(r, space, tree->b);
  if (a->class != CLASS_INT || b->class != CLASS_INT)
    return unknown(r, tree->place, "a condition is needed");
  return pair_term(r, tree->place, kind, EXPR_CONST, a, b);
}

static const Term *resolve_power(Resolver *r, Space *space, const Tree *tree) {
  const Term *a = resolve(r, space, tree->a), *b = resolve(r, space, tree->b);
  if (a->class == CLASS_REAL || b->class == CLASS_REAL)
    return unknown_real(r, tree->place, NULL);
  if (a->class != CLASS_INT || b->class != CLASS_INT)
    return unknown(r, tree->place, "a number is needed");
  return pair_term(r, tree->place, TERM_POWER, EXPR_CONST, a, b);
}

static const Term *resolve_cond(Resolver *r, Space *space, const Tree *tree) {
  const Term *a = resolve(r, space, tree->a), *b = resolve(r, space, tree->b),
             *c = resolve(r, space, tree->c);
  if (a->class != CLASS_INT)
    return unknown(r, tree->place, "a condition is needed");
  if (b->class == CLASS_REAL || c->class == CLASS_REAL)
    return unknown_real(r, tree->place, NULL);
  if (b->class != c->class)
    return unknown(r, tree->place, "the two sides have different types");
  Term *t = new_term(r, tree->place, TERM_COND, b->class);
  t->a = a;
  t->b = b;
  t->c = c;
  t->shape = b->shape;
  t->is_stored = b->is_stored && c->is_stored;
  inherit(t);
  return t;
}

static const Term *resolve_quantifier(Resolver *r, Space *space, const Tree *tree) {
  Term *t = new_term(r, tree->place, TERM_QUANTIFY, CLASS_INT);
  Space *inner = space_new(r, space);
  if (!tree->var->name)
    return unknown(r, tree->place, "a name is not known");
  resolve_range(r, space, tree->var->type, &t->low, &t->high);
  t->op = tree->op;
  const uint32_t outer = r->frame->data;
  t->data = new_local(r->frame, 1);
  if (t->low > t->high) { // what is about nothing need not make sense
    r->frame->data = outer;
    return number_term(r, tree->place, tree->op == EXPR_FORALL);
  }
  space_add(r, inner, tree->var->name, NAMED_VALUE)->term =
      local_term(r, tree->var->place, range_shape(r, t->low, t->high), t->data);
  t->a = resolve(r, inner, tree->a);
  r->frame->data = outer;
  inherit(t);
  if (t->a->class == CLASS_REAL)
    return unknown_real(r, tree->place, NULL);
  return t->a->class == CLASS_INT ? t : unknown(r, tree->place, "a condition is needed");
}

static const Term *resolve_assign(Resolver *r, Space *space, const Tree *tree) {
  const Term *target = resolve(r, space, tree->a);
  Term *t = new_term(r, tree->place, TERM_ASSIGN, target->class);
  t->a = target;
  t->op = tree->op;
  t->has_effect = true;
  if (target->class == CLASS_REAL)
    return t;
  t->b = as_whole(r, resolve(r, space, tree->b));
  const bool fits =
      t->b->class == target->class || (target->class == CLASS_CLOCKS && t->b->class == CLASS_INT);
  if (!fits || t->b->is_timed || (tree->op != EXPR_CONST && target->class != CLASS_INT))
    return unknown(r, tree->place,
                   t->b->class == CLASS_REAL ? real_numbers
                                             : "the two sides have different types");
  const bool is_whole = target->class == CLASS_WHOLE;
  if (target->class == CLASS_CHANNEL || target->class == CLASS_PROCESS ||
      (is_whole && (target->shape->has_real || t->b->shape->data != target->shape->data ||
                    t->b->shape->clocks != target->shape->clocks)))
    return unknown(r, tree->place, "the two sides have different types");
  t->shape = target->shape;
  return t;
}

static const Term *resolve_step(Resolver *r, Space *space, const Tree *tree) {
  const Term *target = resolve(r, space, tree->a);
  if (target->class == CLASS_REAL) {
    Term *t = new_term(r, tree->place, TERM_ASSIGN, CLASS_REAL);
    t->a = target;
    return t;
  }
  if (target->class != CLASS_INT)
    return unknown(r, tree->place, "a number is needed");
  Term *t = new_term(r, tree->place, TERM_STEP, CLASS_INT);
  t->a = target;
  t->op = tree->op;
  t->value = tree->value;
  t->has_effect = true;
  return t;
}

static const Term *resolve(Resolver *r, Space *space, const Tree *tree) {
  if (r->unknown)
    return number_term(r, tree->place, 0);
  switch (tree->kind) {
  case NODE_NUMBER:
    return number_term(r, tree->place, tree->value);
  case NODE_DOUBLE:
    return real_term(r, tree->place, tree->real);
  case NODE_NAME:
    return resolve_name(r, space, tree);
  case NODE_INDEX: {
    const Term *array = resolve(r, space, tree->a);
    return index_term(r, tree->place, array, resolve_int(r, space, tree->b));
  }
  case NODE_DOT:
    return resolve_dot(r, space, tree);
  case NODE_CALL:
    return resolve_call(r, space, tree);
  case NODE_UNARY:
    return resolve_unary(r, space, tree);
  case NODE_BINARY:
    return resolve_binary(r, space, tree);
  case NODE_IMPLY:
    return two_conditions(r, space, tree, TERM_IMPLY);
  case NODE_XOR:
    return two_conditions(r, space, tree, TERM_XOR);
  case NODE_POWER:
    return resolve_power(r, space, tree);
  case NODE_COND:
    return resolve_cond(r, space, tree);
  case NODE_ASSIGN:
    return resolve_assign(r, space, tree);
  case NODE_STEP:
    return resolve_step(r, space, tree);
  case NODE_QUANTIFY:
    return resolve_quantifier(r, space, tree);
  case NODE_DEADLOCK: {
    const Named *named = tree->name ? space_find(space, tree->name) : NULL;
    if (named)
      return named_term(r, named, tree->place);
    Term *t = new_term(r, tree->place, TERM_DEADLOCK, CLASS_INT);
    t->is_timed = true;
    return t;
  }
  case NODE_STRING:
  case NODE_RATE:
  case NODE_LIST:
  case NODE_TEXT:
  case NODE_LABELS:
    break;
  }
  return unknown(r, tree->place, "this has no value");
}

// Statements.

static Deed *new_deed(Resolver *r, Place place, DeedKind kind, Deed ***end) {
  Deed *deed = ARENA_NEW(r->arena, Deed);
  deed->kind = kind;
  deed->place = place;
  **end = deed;
  *end = &deed->next;
  return deed;
}

static void resolve_effects(Resolver *r, Space *space, const Tree *list, Deed ***end) {
  for (; list; list = list->next)
    new_deed(r, list->place, DEED_EFFECT, end)->a = resolve(r, space, list);
}

static void fill_default(const Shape *shape, int32_t *data) {
  for (uint32_t k = 0; k < shape->count; k++) {
    const ShapeField part = shape_part(shape, k);
    fill_default(part.shape, data + part.data);
  }
  if (shape->kind == SHAPE_INT)
    *data = shape->low > 0 || shape->high < 0 ? shape->low : 0;
}

static void set_parts(Resolver *r, Space *space, const Term *target, const Tree *tree,
                      Deed ***end) {
  if (tree->kind != NODE_LIST) {
    Deed *deed = new_deed(r, tree->place, DEED_SET, end);
    deed->a = target;
    deed->b = as_whole(r, resolve(r, space, tree));
    if (deed->b->class != target->class ||
        (target->class == CLASS_WHOLE && deed->b->shape->data != target->shape->data))
      unknown(r, tree->place,
              deed->b->class == CLASS_REAL ? real_numbers : "a value has another type");
    return;
  }
  uint32_t k = 0;
  for (const Tree *item = tree->b; item; item = item->next, k++) {
    const bool is_named = item->kind == NODE_DOT && item->value;
    const Shape *shape = target->shape;
    const Term *part;
    if (k >= shape->count || (shape->kind != SHAPE_ARRAY && shape->kind != SHAPE_STRUCT)) {
      unknown(r, item->place, "a list has too many values");
      return;
    }
    if (shape->kind == SHAPE_ARRAY)
      part = index_term(r, item->place, target,
                        number_term(r, item->place, shape->first + (int32_t)k));
    else
      part = field_term(r, item->place, target, is_named ? item->name : shape->fields[k].name);
    set_parts(r, space, part, is_named ? item->a : item, end);
  }
}

static void resolve_local(Resolver *r, Space *space, const VarNode *var, Deed ***end) {
  const Shape *shape = resolve_shape(r, space, var->type, var->dims);
  const TermClass class = class_of(shape);
  if (r->unknown || !var->name)
    return;
  if (class == CLASS_REAL) {
    const Term *value = var->init && var->init->kind != NODE_LIST && shape->is_const
                            ? resolve(r, space, var->init)
                            : NULL;
    space_add(r, space, var->name, NAMED_VALUE)->term =
        known_real(r, value ? value : unknown_real(r, var->place, shape), shape);
    return;
  }
  if (class != CLASS_INT && class != CLASS_WHOLE) {
    unknown(r, var->place, "a local variable is none");
    return;
  }
  if (shape->is_const && shape->kind == SHAPE_INT && var->init && var->init->kind != NODE_LIST) {
    ResolverFrame frame = {0}, *outer = r->frame;
    int32_t value;
    r->frame = &frame;
    const Term *t = resolve_int(r, space, var->init);
    r->frame = outer;
    if (!r->unknown && t->kind == TERM_NUMBER && t->value >= shape->low &&
        t->value <= shape->high && constant_of(r, t, &frame, &value)) {
      space_add(r, space, var->name, NAMED_VALUE)->term =
          number_term(r, var->place, shape->is_bool ? value != 0 : value);
      return;
    }
  }
  const uint32_t at = new_local(r->frame, shape->data);
  const Term *target = local_term(r, var->place, shape, at);
  if (!var->init || var->init->kind == NODE_LIST) {
    int32_t *table = ARENA_ARRAY(r->arena, int32_t, shape->data);
    fill_default(shape, table);
    Deed *deed = new_deed(r, var->place, DEED_DEFAULT, end);
    deed->a = target;
    deed->table = table;
  }
  if (var->init)
    set_parts(r, space, target, var->init, end);
  space_add(r, space, var->name, NAMED_VALUE)->term = target;
}

static void declare_type(Resolver *r, Space *space, const VarNode *var) {
  const Shape *shape = resolve_shape(r, space, var->type, var->dims);
  if (var->name)
    space_add(r, space, var->name, NAMED_TYPE)->shape = shape;
}

static void resolve_loop(Resolver *r, Space *space, const StmtNode *node, Deed ***end) {
  const bool is_for = node->kind == STMTNODE_FOR;
  if (is_for)
    resolve_effects(r, space, node->a, end);
  const Tree *condition = is_for ? node->b : node->a;
  Deed *deed = new_deed(r, node->place, node->kind == STMTNODE_DO ? DEED_DO : DEED_WHILE, end);
  Deed *before = NULL, **before_end = &before, *body = NULL, **body_end = &body;
  resolve_effects(r, space, node->before, &before_end);
  deed->a = condition ? resolve_int(r, space, condition) : number_term(r, node->place, 1);
  resolve_statements(r, space, node->body, &body_end);
  if (is_for)
    resolve_effects(r, space, node->c, &body_end);
  deed->before = before;
  deed->body = body;
}

static void resolve_iteration(Resolver *r, Space *space, const StmtNode *node, Deed ***end) {
  int32_t low = 1, high = 0;
  if (!node->var->name || !resolve_range(r, space, node->var->type, &low, &high) || low > high)
    return;
  const uint32_t outer = r->frame->data;
  Deed *deed = new_deed(r, node->place, DEED_ITERATE, end);
  Deed *body = NULL, **body_end = &body;
  deed->data = new_local(r->frame, 1);
  deed->low = low;
  deed->high = high;
  Space *inner = space_new(r, space);
  space_add(r, inner, node->var->name, NAMED_VALUE)->term =
      local_term(r, node->var->place, range_shape(r, low, high), deed->data);
  resolve_statements(r, inner, node->body, &body_end);
  deed->body = body;
  r->frame->data = outer;
}

static void resolve_if(Resolver *r, Space *space, const StmtNode *node, Deed ***end) {
  resolve_effects(r, space, node->before, end);
  Deed *deed = new_deed(r, node->place, DEED_IF, end);
  Deed *body = NULL, **body_end = &body, *other = NULL, **other_end = &other;
  deed->a = resolve_int(r, space, node->a);
  if (node->body)
    resolve_statements(r, space, node->body, &body_end);
  if (node->other)
    resolve_statements(r, space, node->other, &other_end);
  deed->body = body;
  deed->other = other;
}

// Declarations are statements, and belong to the block around them.
static void resolve_inner(Resolver *r, Space *space, const StmtNode *node, Deed ***end) {
  for (const DeclNode *d = node->decls; d; d = d->next)
    if (d->kind == DECL_VARIABLE)
      resolve_local(r, space, d->var, end);
    else if (d->kind == DECL_TYPEDEF)
      declare_type(r, space, d->var);
    else
      unknown(r, d->place, "a declaration is not known");
  if (node->decls)
    return;
  const uint32_t outer = r->frame->data;
  Space *inner = space_new(r, space);
  for (const StmtNode *s = node->body; s; s = s->next)
    resolve_statements(r, inner, s, end);
  r->frame->data = outer;
}

// One statement.
static void resolve_statements(Resolver *r, Space *space, const StmtNode *node, Deed ***end) {
  if (r->unknown)
    return;
  switch (node->kind) {
  case STMTNODE_EMPTY:
    break;
  case STMTNODE_EXPR:
    resolve_effects(r, space, node->a, end);
    break;
  case STMTNODE_BLOCK:
    resolve_inner(r, space, node, end);
    break;
  case STMTNODE_IF:
    resolve_if(r, space, node, end);
    break;
  case STMTNODE_WHILE:
  case STMTNODE_DO:
  case STMTNODE_FOR:
    resolve_loop(r, space, node, end);
    break;
  case STMTNODE_ITERATE:
    resolve_iteration(r, space, node, end);
    break;
  case STMTNODE_RETURN: {
    Deed *deed = new_deed(r, node->place, DEED_RETURN, end);
    deed->a = node->a ? as_whole(r, resolve(r, space, node->a)) : NULL;
    if (deed->a && deed->a->is_timed)
      unknown(r, node->place, "a function returns a clock constraint");
    break;
  }
  case STMTNODE_ASSERT:
    new_deed(r, node->place, DEED_ASSERT, end)->a = resolve_int(r, space, node->a);
    break;
  }
}

// Values that are known before the system runs.

static void fill(Resolver *r, Space *space, const Shape *shape, const Tree *tree, int32_t *data,
                 int32_t *clocks) {
  uint32_t k = 0;
  if (tree->kind == NODE_LIST) {
    if (shape->kind != SHAPE_ARRAY && shape->kind != SHAPE_STRUCT) {
      unknown(r, tree->place, "a list is no value of this type");
      return;
    }
    for (const Tree *item = tree->b; item && !r->unknown; item = item->next, k++) {
      const bool is_named = item->kind == NODE_DOT && item->value;
      uint32_t at = k;
      for (uint32_t f = 0; is_named && shape->kind == SHAPE_STRUCT && f < shape->count; f++)
        at = shape->fields[f].name == item->name ? f : at;
      if (at >= shape->count) {
        unknown(r, item->place, "a list has too many values");
        continue;
      }
      const ShapeField part = shape_part(shape, at);
      fill(r, space, part.shape, is_named && shape->kind == SHAPE_STRUCT ? item->a : item,
           data + part.data, clocks + part.clock);
    }
    if (k != shape->count)
      unknown(r, tree->place, "a list has too few values");
    return;
  }
  int32_t value;
  if (shape->kind == SHAPE_CLOCK) {
    if (constant_int(r, space, tree, &value))
      *clocks = value;
    return;
  }
  if (shape->kind == SHAPE_INT) {
    if (!constant_int(r, space, tree, &value))
      return;
    value = shape->is_bool ? value != 0 : value;
    if (value < shape->low || value > shape->high)
      resolver_differs(r, "an initial value is out of its range");
    *data = value;
    return;
  }
  ResolverFrame frame = {0}, *outer = r->frame;
  r->frame = &frame;
  const Term *t = resolve(r, space, tree);
  r->frame = outer;
  if (r->unknown || t->class != CLASS_WHOLE || shape->clocks || t->shape->data != shape->data ||
      !evaluator_constants(&r->evaluator, t, frame.max_data, frame.refs, data))
    unknown(r, tree->place, "a constant is not known");
}

// A constant that the command line sets.
static bool is_defined(const Resolver *r, const char *name, const Shape *shape, int32_t *value) {
  const size_t length = strlen(name);
  for (const char *at = r->net->origin.define; at && *at;) {
    const size_t size = strcspn(at, "\n");
    if (size > length && !memcmp(at, name, length) && at[length] == '=') {
      const char *text = at + length + 1;
      *value = shape->is_bool && !memcmp(text, "true", 4) ? 1 : (int32_t)strtol(text, NULL, 10);
      return true;
    }
    at += size + (at[size] == '\n');
  }
  return false;
}

// Storage of the network.

static void compare_ranges(Resolver *r, const char *name, const Shape *shape, uint32_t slot) {
  const NetSlots *slots = &r->net->slots;
  for (uint32_t k = 0; k < shape->count; k++) {
    const ShapeField part = shape_part(shape, k);
    compare_ranges(r, name, part.shape, slot + part.data);
  }
  if (shape->kind == SHAPE_INT &&
      (slots->min[slot] != shape->low || slots->max[slot] != shape->high))
    resolver_differs(r, "`%s` has the range %d .. %d, and not %d .. %d", name, shape->low,
                     shape->high, slots->min[slot], slots->max[slot]);
}

static const Name *find_name(const Name *names, uint32_t count, uint32_t *next,
                             const char *name) {
  if (*next < count && !strcmp(names[*next].name, name))
    return &names[(*next)++];
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(names[i].name, name)) {
      *next = i + 1;
      return &names[i];
    }
  return NULL;
}

// Where the data of a variable are; false after a difference.
static bool find_variable(Resolver *r, const char *name, const Shape *shape,
                          const int32_t *initial, uint32_t *base) {
  const Net *net = r->net;
  *base = 0;
  if (!shape->data)
    return true;
  const Name *found = find_name(net->variables.items, net->variables.size, &r->variable, name);
  if (!found || found->type->slots != shape->data) {
    resolver_differs(r, "the network has no variable `%s` of this size", name);
    return false;
  }
  *base = found->base;
  compare_ranges(r, name, shape, *base);
  if (found->is_meta != shape->is_meta)
    resolver_differs(r, "only one of the two has `%s` as a meta variable", name);
  for (uint32_t k = 0; k < shape->data; k++)
    if (net->slots.initial[*base + k] != initial[k])
      resolver_differs(r, "`%s` begins with %d, and not with %d", name, initial[k],
                       net->slots.initial[*base + k]);
  return true;
}

static bool find_clocks(Resolver *r, const char *name, const Shape *shape, const int32_t *initial,
                        uint32_t *base) {
  const Net *net = r->net;
  *base = 0;
  if (!shape->clocks)
    return true;
  const Name *found = find_name(net->clocks.items, net->clocks.size, &r->clock, name);
  if (!found || found->type->slots != shape->clocks) {
    resolver_differs(r, "the network has no clocks `%s` of this number", name);
    return false;
  }
  *base = found->base;
  for (uint32_t k = 0; k < shape->clocks; k++) {
    const int64_t there = net->clock_initial ? net->clock_initial[*base + k] : 0;
    if (there * net_unit(net) != initial[k])
      resolver_differs(r, "clock `%s` begins with %d, and not with %lld", name, initial[k],
                       (long long)(there * net_unit(net)));
  }
  return true;
}

static void compare_channels(Resolver *r, const Shape *shape, const Shape *leaf, Text *name,
                             uint32_t *next) {
  const size_t size = name->size;
  if (shape->kind == SHAPE_ARRAY) {
    for (uint32_t k = 0; k < shape->count; k++) {
      text_addf(name, "[%d]", (int)(shape->first + (int32_t)k));
      compare_channels(r, shape->element, leaf, name, next);
      name->size = size;
      name->chars[size] = '\0';
    }
    return;
  }
  const Channel *channel = *next < r->net->channels.size ? &r->net->channels.items[*next] : NULL;
  if (!channel || strcmp(channel->name, text_chars(name)) != 0 ||
      channel->urgent != leaf->is_urgent || channel->broadcast != leaf->is_broadcast)
    resolver_differs(r, "the network has another channel than `%s`", text_chars(name));
  ++*next;
}

static const Term *table_term(Resolver *r, Place place, const Shape *shape,
                              const int32_t *values) {
  if (shape->kind == SHAPE_INT)
    return number_term(r, place, *values);
  Term *t = stored_term(r, place, TERM_TABLE, shape);
  t->class = CLASS_WHOLE;
  t->table = values;
  return t;
}

static void declare_storage(Resolver *r, Space *space, const VarNode *var, const Shape *shape) {
  int32_t *data = ARENA_ARRAY(r->arena, int32_t, shape->data);
  int32_t *clocks = ARENA_ARRAY(r->arena, int32_t, shape->clocks);
  fill_default(shape, data);
  const bool is_defined_one = shape->is_const && shape->kind == SHAPE_INT && !r->prefix &&
                              is_defined(r, var->name, shape, data);
  if (var->init && !is_defined_one)
    fill(r, space, shape, var->init, data, clocks);
  if (r->unknown)
    return;
  if (shape->is_const) {
    space_add(r, space, var->name, NAMED_VALUE)->term = table_term(r, var->place, shape, data);
    return;
  }
  Text name = {.mem = r->mem};
  text_addf(&name, "%s%s", r->prefix ? r->prefix : "", var->name);
  Term *t = stored_term(r, var->place, TERM_GLOBAL, shape);
  if (find_variable(r, text_chars(&name), shape, data, &t->data) &&
      find_clocks(r, text_chars(&name), shape, clocks, &t->clock)) {
    if (shape->channels) {
      const Shape *leaf = shape;
      while (leaf->kind == SHAPE_ARRAY)
        leaf = leaf->element;
      t->channel = r->channel;
      compare_channels(r, shape, shape, &name, &r->channel);
    }
    space_add(r, space, var->name, NAMED_VALUE)->term = t;
  }
  text_release(&name);
}

// A name that is declared but not known. What uses it is not known, either.
static void add_unknown(Resolver *r, Space *space, const char *name) {
  if (name)
    space_add(r, space, name, NAMED_UNKNOWN)->unknown = r->unknown;
  r->unknown = NULL;
}

static void declare(Resolver *r, Space *space, const VarNode *var) {
  const Shape *shape = resolve_shape(r, space, var->type, var->dims);
  if (!var->name)
    return;
  if (!r->unknown && class_of(shape) == CLASS_REAL) {
    const Term *value = var->init && var->init->kind != NODE_LIST && shape->is_const
                            ? resolve(r, space, var->init)
                            : NULL;
    const bool is_known = !r->unknown && value;
    r->unknown = NULL;
    space_add(r, space, var->name, NAMED_VALUE)->term =
        known_real(r, is_known ? value : unknown_real(r, var->place, shape), shape);
    return;
  }
  if (!r->unknown)
    declare_storage(r, space, var, shape);
  if (r->unknown && !var->type->is_const)
    resolver_gives_up(r, r->unknown_place, r->unknown);
  if (r->unknown)
    add_unknown(r, space, var->name);
}

void resolve_declarations(Resolver *r, Space *space, const DeclNode *decl) {
  ResolverFrame frame = {0};
  r->frame = &frame;
  for (; decl; decl = decl->next) {
    r->unknown = NULL;
    if (decl->kind == DECL_VARIABLE) {
      declare(r, space, decl->var);
    } else if (decl->kind == DECL_TYPEDEF) {
      declare_type(r, space, decl->var);
      if (r->unknown)
        add_unknown(r, space, decl->var->name);
    } else if (decl->kind == DECL_FUNCTION && decl->function->name) {
      Named *named = space_add(r, space, decl->function->name, NAMED_FUNCTION);
      named->function = decl->function;
      named->space = space;
    } else if (decl->kind == DECL_IMPORTED && decl->name) {
      r->unknown = "it calls an external function";
      add_unknown(r, space, decl->name);
    }
  }
  r->unknown = NULL;
  r->frame = NULL;
}

void resolve_number(Resolver *r, Space *space, const char *name, int32_t value) {
  space_add(r, space, name, NAMED_VALUE)->term = number_term(r, (Place){0}, value);
}

static bool is_storage_term(const Term *t) {
  while (t->kind == TERM_INDEX || t->kind == TERM_FIELD)
    t = t->a;
  return t->kind == TERM_GLOBAL || t->kind == TERM_TABLE;
}

void resolve_argument(Resolver *r, Space *space, const VarNode *param, Space *outer,
                      const Tree *arg) {
  ResolverFrame frame = {0};
  if (!param->name)
    return;
  r->frame = &frame;
  r->unknown = NULL;
  const Shape *shape = resolve_shape(r, space, param->type, param->dims);
  const Term *t = resolve(r, outer, arg);
  if (!r->unknown && class_of(shape) == CLASS_REAL) {
    space_add(r, space, param->name, NAMED_VALUE)->term = known_real(r, t, shape);
    r->frame = NULL;
    return;
  }
  t = as_whole(r, t);
  const bool is_data = t->class == CLASS_INT || (t->class == CLASS_WHOLE && !t->shape->clocks);
  int32_t *data = ARENA_ARRAY(r->arena, int32_t, shape->data);
  if (r->unknown) {
  } else if (!is_data || (param->is_reference && is_storage_term(t))) {
    space_add(r, space, param->name, NAMED_VALUE)->term = t;
  } else {
    bool ok = shape->kind == SHAPE_INT
                  ? constant_of(r, t, &frame, data)
                  : t->shape && t->shape->data == shape->data &&
                        evaluator_constants(&r->evaluator, t, frame.max_data, frame.refs, data);
    if (ok && shape->is_bool)
      *data = *data != 0;
    if (ok && shape->kind == SHAPE_INT && (*data < shape->low || *data > shape->high))
      resolver_differs(r, "the argument for `%s` is out of its range", param->name);
    if (ok) {
      Named *named = space_add(r, space, param->name, NAMED_VALUE);
      named->term = table_term(r, arg->place, shape, data);
      named->shape = shape;
    } else {
      unknown(r, arg->place, "an argument is not known");
    }
  }
  if (r->unknown)
    add_unknown(r, space, param->name);
  r->frame = NULL;
}

void resolve_variable_param(Resolver *r, Space *space, const VarNode *param) {
  Named *named = param->name ? space_find_here(space, param->name) : NULL;
  const Net *net = r->net;
  if (!named || named->kind != NAMED_VALUE || !named->shape || param->is_reference ||
      param->type->is_const)
    return;
  Text name = {.mem = r->mem};
  text_addf(&name, "%s%s", r->prefix, param->name);
  uint32_t next = r->variable;
  const Name *found =
      find_name(net->variables.items, net->variables.size, &next, text_chars(&name));
  if (found && found->place.source == param->place.source &&
      found->place.offset == param->place.offset) {
    const Term *value = named->term;
    Shape *shape = ARENA_NEW(r->arena, Shape);
    *shape = *named->shape;
    shape->is_meta = found->is_meta; // a parameter is none
    Term *t = stored_term(r, param->place, TERM_GLOBAL, shape);
    if (find_variable(r, text_chars(&name), shape,
                      value->kind == TERM_NUMBER ? &value->value : value->table, &t->data))
      named->term = t;
  }
  text_release(&name);
}

// Labels.

static Label finish(Resolver *r, ResolverFrame *frame, const Term *condition, const Deed *deeds) {
  const Label label = {condition,   deeds,      frame->max_data,
                       frame->refs, r->unknown, r->unknown_place};
  r->frame = NULL;
  r->unknown = NULL;
  return label;
}

Label resolve_condition(Resolver *r, Space *space, const Tree *tree) {
  ResolverFrame frame = {0};
  const Term *t = NULL;
  r->frame = &frame;
  if (tree) {
    t = resolve(r, space, tree);
    if (t->class != CLASS_INT)
      unknown(r, tree->place, "a condition is needed");
  }
  return finish(r, &frame, t, NULL);
}

Label resolve_channels(Resolver *r, Space *space, const Tree *tree, uint32_t *count) {
  ResolverFrame frame = {0};
  r->frame = &frame;
  const Term *t = resolve(r, space, tree);
  if (t->class != CLASS_CHANNEL || !t->shape)
    unknown(r, tree->place, "a channel is needed");
  *count = t->shape ? t->shape->channels : 0;
  return finish(r, &frame, t, NULL);
}

Label resolve_channel(Resolver *r, Space *space, const Tree *tree) {
  uint32_t count;
  Label label = resolve_channels(r, space, tree, &count);
  if (!label.unknown && label.condition->shape->kind != SHAPE_CHANNEL)
    label.unknown = "a channel is needed";
  return label;
}

Label resolve_updates(Resolver *r, Space *space, const Tree *first, Space *second_space,
                      const Tree *second) {
  ResolverFrame frame = {0};
  Deed *deeds = NULL, **end = &deeds;
  r->frame = &frame;
  resolve_effects(r, space, first, &end);
  resolve_effects(r, second_space, second, &end);
  return finish(r, &frame, NULL, deeds);
}

Label resolve_block(Resolver *r, Space *space, const StmtNode *node) {
  ResolverFrame frame = {0};
  Deed *deeds = NULL, **end = &deeds;
  r->frame = &frame;
  resolve_statements(r, space, node, &end);
  return finish(r, &frame, NULL, deeds);
}

bool resolve_is_never(Resolver *r, const Label *label) {
  return !label->unknown && label->condition &&
         evaluator_condition(&r->evaluator, label, NULL) == FORMULA_FALSE;
}

bool resolve_fixed_channel(Resolver *r, const Label *label, uint32_t *channel) {
  return !label->unknown && evaluator_channel(&r->evaluator, label, NULL, channel);
}
