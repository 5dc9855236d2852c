// Events of <high-water> as xAPI statements without an actor: who learns is the host's to say, and
// a frame never knows it.
//
//   import { statements } from '…/v1/highwater-xapi.js';
//   const stop = statements(element, { id: 'https://school.example/lesson-7' }, (statement) =>
//     send({ ...statement, actor }));

const VERBS = 'http://adlnet.gov/expapi/verbs/';
const KINDS = { choice: 'choice', multi: 'choice', gap: 'choice', number: 'numeric', order: 'sequencing' };

// To 0.01 s, as a learning record store keeps it.
export const duration = (ms) => `PT${Math.max(0, Math.round(ms / 10) / 100)}S`;

// The form in which xAPI writes a response of each kind.
const response = (kind, given) => {
  const all = (Array.isArray(given) ? given : [given]).map(String);
  return kind === 'gap' ? `gap-${all[0]}` : all.join('[,]');
};

export function statements(element, activity, send) {
  const started = performance.now();
  let info = {};
  const object = (more, definition) => ({
    objectType: 'Activity',
    id: more ? `${activity.id}#${more}` : activity.id,
    definition: { name: activity.name ?? (info.lang && { [info.lang]: info.title }) ?? {}, ...definition },
  });
  const say = (verb, about, result) => send({
    verb: { id: VERBS + verb, display: { en: verb } },
    object: about ?? object('', { type: 'http://adlnet.gov/expapi/activities/simulation' }),
    ...(result && { result }),
    timestamp: new Date().toISOString(),
  });
  let attempted;
  const heard = {
    ready: (data) => {
      info = data;
      if (attempted !== data.scenario) say('attempted');
      attempted = data.scenario;
    },
    progress: ({ ratio }) => say('progressed', null, {
      duration: duration(performance.now() - started),
      extensions: { 'https://w3id.org/xapi/cmi5/result/extensions/progress': Math.round(ratio * 100) },
    }),
    answer: ({ id, kind, response: given, correct, ms }) => say('answered',
      object(id, { type: 'http://adlnet.gov/expapi/activities/cmi.interaction', interactionType: KINDS[kind] ?? 'other' }),
      { response: response(kind, given), success: !!correct, duration: duration(ms) }),
    completed: ({ ms, correct, of }) => say('completed', null, {
      completion: true, duration: duration(ms),
      ...(of > 0 && { score: { raw: correct, min: 0, max: of, scaled: Math.round((correct / of) * 100) / 100 } }),
    }),
  };
  const listeners = Object.entries(heard).map(([name, then]) => [`highwater-${name}`, (e) => then(e.detail)]);
  for (const [name, then] of listeners) element.addEventListener(name, then);
  return () => { for (const [name, then] of listeners) element.removeEventListener(name, then); };
}
