/** What a hook that asks the model is answered on every stage, where no rule of the scenario is for it. */
export const NO_OBJECTION = '{"ok":true,"reason":"no rule of the scenario is for this hook"}';
