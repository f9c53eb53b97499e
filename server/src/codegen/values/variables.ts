// What variables hold at the point where a pass stands. Others may write those whose address is taken, all of them at once and often: what
// they hold from then on gets a name only where somebody asks.
import { idOfKey, isOfTemporary } from "../addresses/address.ts";
import { type Linear, sameLinear } from "../addresses/linear.ts";
import { type Changes, JournalMap, keysOf } from "../walks/journal.ts";

/** How one way changes what variables hold. */
export interface VariableChanges {
  readonly own: Changes<Linear>;
  readonly escaped: Changes<Since>;
  readonly epoch: number;
}

/** What an escaped variable was given, which it holds as long as the epoch lasts. */
interface Since {
  readonly linear: Linear;
  readonly epoch: number;
}

export interface VariableValuesOptions {
  readonly escaped: ReadonlySet<number>;
  /** A value that is like no other. */
  readonly somethingElse: () => Linear;
  /** Where ways meet: what is left to say of a value that is one of two; null where nothing is. */
  readonly either: (left: Linear, right: Linear) => Linear | null;
}

/** By variable key. A variable that is not in it holds what it did at the start. */
export class VariableValues {
  readonly #options: VariableValuesOptions;
  readonly #own = new JournalMap<Linear>();
  readonly #escaped = new JournalMap<Since>();
  /** Ends where all escaped variables are forgotten; 0 until that happens. */
  #epoch = 0;
  #epochs = 0;
  /** By epoch, what escaped variables hold that were not given anything in it. */
  readonly #unnamed = new Map<number, Map<number, Linear>>();

  constructor(options: VariableValuesOptions) {
    this.#options = options;
  }

  get(key: number): Linear | undefined {
    return this.#isEscaped(key) ? this.#heldIn(this.#epoch, key, this.#escaped.get(key)) : this.#own.get(key);
  }

  set(key: number, linear: Linear): void {
    if (this.#isEscaped(key)) this.#escaped.set(key, { linear, epoch: this.#epoch });
    else this.#own.set(key, linear);
  }

  forget(key: number): void {
    if (this.#isEscaped(key)) this.set(key, this.#options.somethingElse());
    else this.#own.renew(key, this.#options.somethingElse);
  }

  forgetEscaped(): void {
    if (this.#options.escaped.size > 0) this.#epoch = ++this.#epochs;
  }

  /** What the action gives; all is as it was behind it, and `changes` says how the action would change it. */
  tryOut<R>(action: () => R): { readonly result: R; readonly changes: VariableChanges } {
    const own = this.#own.mark();
    const escaped = this.#escaped.mark();
    const epochBefore = this.#epoch;
    const result = action();
    const epoch = this.#epoch;
    this.#epoch = epochBefore;
    return {
      result,
      changes: { own: this.#own.takeBack(own), escaped: this.#escaped.takeBack(escaped), epoch },
    };
  }

  apply({ own, escaped, epoch }: VariableChanges): void {
    this.#own.apply(own);
    this.#escaped.apply(escaped);
    this.#epoch = epoch;
  }

  /** Where two ways meet. */
  join(a: VariableChanges, b: VariableChanges): void {
    for (const key of keysOf(a.own, b.own)) {
      const before = this.#own.get(key);
      if (before === undefined && isBornOn(key, a.own, b.own)) continue;
      const left = a.own.has(key) ? a.own.get(key) : before;
      const right = b.own.has(key) ? b.own.get(key) : before;
      const both = this.#inBoth(left, right);
      if (both) this.#own.set(key, both);
      else this.#own.renew(key, this.#options.somethingElse);
    }
    const isForgotten = a.epoch !== b.epoch;
    const joined: { key: number; both: Linear | null }[] = [];
    for (const key of keysOf(a.escaped, b.escaped)) {
      const before = this.#escaped.get(key);
      if (before === undefined && isBornOn(key, a.escaped, b.escaped)) continue;
      const left = a.escaped.has(key) ? a.escaped.get(key) : before;
      const right = b.escaped.has(key) ? b.escaped.get(key) : before;
      if (isForgotten && (left?.epoch !== a.epoch || right?.epoch !== b.epoch)) continue;
      joined.push({
        key,
        both: this.#inBoth(this.#heldIn(a.epoch, key, left), this.#heldIn(b.epoch, key, right)),
      });
    }
    if (isForgotten) this.forgetEscaped();
    else this.#epoch = a.epoch;
    for (const { key, both } of joined) this.set(key, both ?? this.#options.somethingElse());
  }

  #inBoth(left: Linear | undefined, right: Linear | undefined): Linear | null {
    if (!left || !right) return null;
    return sameLinear(left, right) ? left : this.#options.either(left, right);
  }

  #heldIn(epoch: number, key: number, since: Since | undefined): Linear | undefined {
    if (since?.epoch === epoch) return since.linear;
    return epoch === 0 ? undefined : this.#unnamedIn(epoch, key);
  }

  /** The same whichever way asks, and however often. */
  #unnamedIn(epoch: number, key: number): Linear {
    let unnamed = this.#unnamed.get(epoch);
    if (!unnamed) {
      unnamed = new Map();
      this.#unnamed.set(epoch, unnamed);
    }
    const known = unnamed.get(key);
    if (known) return known;
    const linear = this.#options.somethingElse();
    unnamed.set(key, linear);
    return linear;
  }

  #isEscaped(key: number): boolean {
    const { escaped } = this.#options;
    return escaped.size > 0 && escaped.has(idOfKey(key));
  }
}

/** Whether it is a temporary that one of the ways makes, and so reads alone. */
function isBornOn(key: number, a: ReadonlyMap<number, unknown>, b: ReadonlyMap<number, unknown>): boolean {
  return isOfTemporary(key) && !(a.has(key) && b.has(key));
}
