import { join } from 'node:path';
import ts from 'typescript';

/** A type, expanded as far as the names that the package exports: a text, or its members by name. */
export type Shape = string | { [member: string]: Shape };

const KINDS: readonly (readonly [ts.SymbolFlags, string])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Variable, 'value'],
  [ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias, 'type'],
];
/** What is nested deeper is told by its name. */
const DEEPEST = 8;
/** Types described for one exported name, so that the types of another package do not take minutes. */
const MOST = 4000;
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  lib: ['lib.es2023.d.ts'],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The exported names of each entry with their types; names of files and of types that are not exported do not count. */
export function typesOf(root: string, entries: Readonly<Record<string, string>>): Record<string, Shape> {
  const files = Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, join(root, file)]));
  const program = ts.createProgram(Object.values(files), OPTIONS);
  const checker = program.getTypeChecker();
  const exported = Object.entries(files).map(([entry, file]) => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return [entry, symbols.map((symbol) => [symbol.name, resolved(symbol, checker)] as const)] as const;
  });
  const names = new Map(exported.flatMap(([, symbols]) => symbols.map(([name, symbol]) => [symbol, name] as const)));
  const describer = new Describer(checker, names);
  return Object.fromEntries(
    exported.map(([entry, symbols]) => [
      entry,
      Object.fromEntries(symbols.map(([name, symbol]) => [name, describer.exported(symbol, entry)])),
    ]),
  );
}

function resolved(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

class Describer {
  readonly #checker: ts.TypeChecker;
  readonly #names: ReadonlyMap<ts.Symbol, string>;
  /** Compilers forget the name of a union now and then. */
  readonly #publicTypes = new Map<ts.Type, string>();
  /** The types around the one that is described. */
  readonly #around: ts.Type[] = [];
  /** Where an exported name was described first. */
  readonly #described = new Map<ts.Symbol, string>();
  #left = 0;

  constructor(checker: ts.TypeChecker, names: ReadonlyMap<ts.Symbol, string>) {
    this.#checker = checker;
    this.#names = names;
    for (const [symbol, name] of names) {
      const type = (symbol.flags & ts.SymbolFlags.Type) === 0 ? undefined : checker.getDeclaredTypeOfSymbol(symbol);
      if (type?.isUnion() === true || type?.aliasSymbol !== undefined) this.#publicTypes.set(type, name);
    }
  }

  exported(symbol: ts.Symbol, entry: string): Shape {
    const described = this.#described.get(symbol);
    if (described !== undefined) return `the same as in ${described}`;
    this.#described.set(symbol, entry);
    this.#left = MOST;
    const kind = KINDS.filter(([flag]) => (symbol.flags & flag) !== 0).map(([, name]) => name);
    const shape: Record<string, Shape> = { kind: kind.join(' and ') };
    if ((symbol.flags & ts.SymbolFlags.Value) !== 0) {
      const type = this.#checker.getTypeOfSymbol(symbol);
      const constructors = type.getConstructSignatures();
      shape['value'] = constructors.length > 0 ? this.#members(type, constructors) : this.#expanded(type);
    }
    if ((symbol.flags & ts.SymbolFlags.Type) !== 0) {
      const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
      const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
      if (alias?.typeParameters !== undefined) shape['type'] = alias.getText().replace(/\s+/g, ' ');
      else shape['type'] = type.isUnion() ? this.#union(type) : this.#expanded(type);
    }
    return shape;
  }

  #type(type: ts.Type): Shape {
    const name = this.#publicName(type);
    if (name !== undefined) return name;
    if (type.isUnion()) return this.#union(type);
    return this.#expanded(type);
  }

  #publicName(type: ts.Type): string | undefined {
    const [alias, own] = [type.aliasSymbol, type.getSymbol()].map((symbol) => symbol && this.#names.get(symbol));
    return alias ?? own ?? this.#publicTypes.get(type);
  }

  #union(type: ts.UnionType): Shape {
    if (this.#around.includes(type)) return '(as above)';
    this.#around.push(type);
    const shapes = type.types.map((one) => ({ type: one, shape: this.#type(one) }));
    this.#around.pop();
    const texts = shapes.flatMap(({ shape }) => (typeof shape === 'string' ? shape : [])).sort();
    const words = texts.join(' | ').replace(/\bfalse \| (.*)\btrue\b/, '$1boolean');
    const objects = shapes.flatMap(({ type: one, shape }) => (typeof shape === 'string' ? [] : [{ one, shape }]));
    const or = words === '' ? {} : { or: words };
    if (objects.length === 0) return words;
    if (objects.length === 1) return { ...or, ...(objects[0]?.shape as object) };
    const variants = objects.map(({ one, shape }) => [this.#label(one), shape] as const);
    variants.sort(([a, x], [b, y]) => `${a}${JSON.stringify(x)}`.localeCompare(`${b}${JSON.stringify(y)}`, 'en'));
    return {
      ...or,
      ...Object.fromEntries(
        variants.map(([label, shape], at) => [label === '' ? `or ${at + 1}` : `or ${label}`, shape]),
      ),
    };
  }

  /** What tells a member of a union from the others: `type="text"`. */
  #label(type: ts.Type): string {
    return type
      .getProperties()
      .flatMap((property) => {
        const own = this.#checker.getTypeOfSymbol(property);
        return own.isStringLiteral() ? [`${property.name}=${JSON.stringify(own.value)}`] : [];
      })
      .join(' ');
  }

  #expanded(type: ts.Type): Shape {
    const text = () => this.#text(type);
    if (this.#around.includes(type)) return '(as above)';
    if (this.#around.length > DEEPEST || this.#left-- < 0) return text();
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    if (!isObject) return text();
    this.#around.push(type);
    try {
      const reference = this.#reference(type);
      return reference ?? this.#members(type, []);
    } finally {
      this.#around.pop();
    }
  }

  /** A type of the language or of another package, with what it is applied to: `Promise`, `Map`, a list. */
  #reference(type: ts.Type): Shape | undefined {
    const symbol = isOfVitest(type.aliasSymbol) ? type.aliasSymbol : type.getSymbol();
    const from = fileOf(symbol);
    const args = isOfVitest(type.aliasSymbol)
      ? (type.aliasTypeArguments ?? [])
      : this.#checker.getTypeArguments(type as ts.TypeReference);
    const isList = this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    const isForeign = /\/node_modules\/(?!agent-understudy\/)/.test(from);
    // What zod makes of a schema is declared there, too, and is ours.
    const isInferred = symbol?.name === '__type' && type.getCallSignatures().length === 0;
    if (!isList && (!isForeign || isInferred)) return undefined;
    const shapes = args.map((one) => this.#type(one));
    const name = isList ? this.#text(type).replace(/^(readonly )?.*$/s, '$1list') : (symbol?.name ?? '');
    if (shapes.length === 0) return this.#text(type);
    if (shapes.every((shape) => typeof shape === 'string')) return `${name}<${shapes.join(', ')}>`;
    return Object.fromEntries(
      shapes.map((shape, at) => [shapes.length === 1 ? `${name} of` : `${name} of ${at}`, shape]),
    );
  }

  #members(type: ts.Type, constructors: readonly ts.Signature[]): Shape {
    const members: [string, Shape][] = [];
    for (const signature of constructors) members.push([`new${number(members.length)}`, this.#signature(signature)]);
    for (const [at, signature] of type.getCallSignatures().entries())
      members.push([`call${number(at)}`, this.#signature(signature)]);
    for (const { keyType, type: value } of this.#checker.getIndexInfosOfType(type))
      members.push([`[${this.#text(keyType)}]`, this.#type(value)]);
    for (const property of type.getProperties()) {
      if (!isPublic(property)) continue;
      const optional = (property.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
      members.push([`.${property.name}${optional}`, this.#type(this.#checker.getTypeOfSymbol(property))]);
    }
    if (members.length === 0) return this.#text(type);
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #signature(signature: ts.Signature): Shape {
    const parameters = signature.getParameters().map((parameter): [string, Shape] => {
      const declaration = parameter.valueDeclaration;
      const own = declaration !== undefined && ts.isParameter(declaration) ? declaration : undefined;
      const optional = own?.questionToken === undefined && own?.initializer === undefined ? '' : '?';
      const rest = own?.dotDotDotToken === undefined ? '' : '...';
      return [`(${rest}${parameter.name}${optional})`, this.#type(this.#checker.getTypeOfSymbol(parameter))];
    });
    return { ...Object.fromEntries(parameters), returns: this.#type(signature.getReturnType()) };
  }

  #text(type: ts.Type): string {
    return this.#checker
      .typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
      .replace(/import\("[^"]*"\)\.|\$\d+\b/g, '');
  }
}

function fileOf(symbol: ts.Symbol | undefined): string {
  return symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
}

function isOfVitest(symbol: ts.Symbol | undefined): boolean {
  return /\/node_modules\/@?vitest\//.test(fileOf(symbol));
}

function number(at: number): string {
  return at === 0 ? '' : ` ${at + 1}`;
}

function isPublic(property: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHidden = property.declarations?.some((one) => (ts.getCombinedModifierFlags(one) & hidden) !== 0) === true;
  return !isHidden && !/^(?:__|#)/.test(property.name) && property.name !== 'prototype';
}
