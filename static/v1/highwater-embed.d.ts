// Types of <high-water> and of every message of the protocol, version 1. See docs/embedding.md.

export type Lang = 'ru' | 'en';
export type ThemeName = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'full' | 'reduced' | 'none';
export type Code = 'bad-args' | 'unknown-cmd' | 'out-of-range' | 'locked' | 'not-ready' | 'too-many' | 'internal';
/** What a step shows, by path. */
export type Fact = string | number | boolean | number[] | null;

export interface Info {
  scenario: string;
  title: string;
  step: number;
  /** The number of the last step. */
  steps: number;
  /** The bounds in force. */
  from: number;
  to: number;
  markers: { id: string; step: number }[];
  questions: { id: string; step: number }[];
  lang: Lang;
  langs: Lang[];
  /** Goes up when the same script may give another run. */
  engine: number;
  build: string;
}

export interface State {
  schema: 1;
  scenario: string;
  title: string;
  lang: Lang;
  step: number;
  of: number;
  playing: boolean;
  heading: string;
  facts: Record<string, Fact>;
}

/** What a page may set of the look; `null` takes it back. */
export interface Tokens {
  accent?: string | null;
  bg?: string | null;
  text?: string | null;
  'font-scale'?: number | null;
  radius?: number | null;
}

export interface Exported {
  format: 'svg' | 'png' | 'json' | 'md';
  step: number;
  /** The media type. */
  type: string;
  data: string | Blob;
}

/** Arguments and result of each command. */
export interface Commands {
  getInfo: { args?: Record<string, never>; result: Info };
  seek: { args: ({ step: number } | { marker: string }) & { animate?: boolean }; result: { step: number; clamped?: true } };
  next: { args?: Record<string, never>; result: { step: number } };
  back: { args?: Record<string, never>; result: { step: number } };
  first: { args?: Record<string, never>; result: { step: number } };
  last: { args?: Record<string, never>; result: { step: number } };
  play: { args?: { rate?: 0.5 | 1 | 1.5 | 2 }; result: { step: number; playing: boolean } };
  pause: { args?: Record<string, never>; result: { step: number; playing: boolean } };
  setLang: { args: { lang: Lang }; result: { lang: Lang } };
  setTheme: { args: { theme?: ThemeName; tokens?: Tokens }; result: { theme: ThemeName; rejected: string[] } };
  setMotion: { args: { motion: Motion }; result: { motion: Motion } };
  getPermalink: { args?: { form?: 'curated' | 'full' }; result: { url: string; length: number } };
  getState: { args?: Record<string, never>; result: State };
  load: { args: { scenario: string; step?: number | string }; result: { scenario: string; step: number } };
  export: { args: { format: Exported['format']; step?: number }; result: Exported };
  ask: { args: { question: string }; result: { id: string; step: number } };
  reveal: { args: { question: string }; result: { id: string; step: number } };
  announce: { args: { text: string }; result: Record<string, never> };
  destroy: { args?: Record<string, never>; result: Record<string, never> };
}

/** Data of each event. */
export interface Events {
  ready: Info;
  step: {
    step: number;
    of: number;
    marker?: string;
    cause: 'next' | 'back' | 'seek' | 'play' | 'host';
    what: string;
    changes: { path: string; from: Fact; to: Fact }[];
  };
  settled: { step: number };
  progress: { seen: number; of: number; ratio: number };
  completed: { ms: number; answered: number; correct: number; of: number };
  size: { width: number; height: number };
  warning: { code: 'bad-param' | 'bad-token'; message: string; param?: string };
  error: { code: 'no-such-scenario' | 'bad-scenario' | 'strict' | 'panic' | Code; message: string; param?: string };
  question: { id: string; kind: 'choice' | 'multi' | 'number' | 'gap'; step: number; text: string; options: { id: string; text: string }[] };
  answer: { id: string; kind: 'choice' | 'multi' | 'number' | 'gap'; step: number; response: string[]; correct: boolean; pattern: string[]; attempt: number; ms: number };
  fork: { step: number; action: unknown };
}

/** Frame to host, on the window. */
export interface Hello { highwater: 1; type: 'hello'; id: string; v: number[]; scenario: string; nonce: string }
export interface Size { highwater: 1; type: 'size'; id: string; height: number }
/** Host to frame, on the frame's window, with one `MessagePort`. */
export interface Connect { highwater: 1; type: 'connect'; v: 1; nonce: string }

/** Host to frame, on the port. */
export type Request = { [C in keyof Commands]: { highwater: 1; rid: string | number; cmd: C } & Pick<Commands[C], Extract<keyof Commands[C], 'args'>> }[keyof Commands];
/** Frame to host, on the port. */
export type Answer<C extends keyof Commands = keyof Commands> =
  | { highwater: 1; rid: string | number; ok: true; result: Commands[C]['result'] }
  | { highwater: 1; rid: string | number; ok: false; error: { code: Code; message: string } };
export type Event = { [E in keyof Events]: { highwater: 1; ev: E; seq: number; t: number; data: Events[E] } }[keyof Events];

/** What a command fails with. */
export interface Fault extends Error { code: Code | Events['error']['code'] }

type Result<C extends keyof Commands> = Promise<Commands[C]['result']>;

export interface HighWaterElement extends HTMLElement {
  /** The step on the screen; set, it is sought. Undefined while nothing runs. */
  get step(): number | undefined;
  set step(to: number | string);
  /** The number of the last step. Undefined while nothing runs. */
  readonly steps: number | undefined;
  /** Fulfilled when the scene can be driven. A new one after each stop. */
  readonly ready: Promise<Info>;
  run(): Promise<Info>;
  stop(): Promise<void>;
  command<C extends keyof Commands>(cmd: C, args?: Commands[C]['args']): Result<C>;
  seek(to: number | string, args?: { animate?: boolean }): Result<'seek'>;
  next(): Result<'next'>;
  back(): Result<'back'>;
  first(): Result<'first'>;
  last(): Result<'last'>;
  play(rate?: 0.5 | 1 | 1.5 | 2): Result<'play'>;
  pause(): Result<'pause'>;
  load(scenario: string, step?: number | string): Result<'load'>;
  setMotion(motion: Motion): Result<'setMotion'>;
  getInfo(): Result<'getInfo'>;
  getState(): Result<'getState'>;
  getPermalink(form?: 'curated' | 'full'): Result<'getPermalink'>;
  export(format: Exported['format'], step?: number): Result<'export'>;
  ask(question: string): Result<'ask'>;
  reveal(question: string): Result<'reveal'>;
  announce(text: string): Result<'announce'>;
}

/** The DOM events of the element, with their data in `detail`. */
export type HighWaterEvents = { [E in keyof Events as `highwater-${E}`]: CustomEvent<Events[E]> };

declare global {
  interface HTMLElementTagNameMap { 'high-water': HighWaterElement }
  interface HTMLElementEventMap extends HighWaterEvents {}
}
