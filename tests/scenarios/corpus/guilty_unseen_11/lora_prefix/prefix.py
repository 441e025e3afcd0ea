class PromptPrefix:
    """Keys and values of the prompt, filled on first use."""

    def __init__(self, model, prompt):
        self.model = model
        self.prompt = prompt
        self._kv = None

    def expand(self, batch):
        if self._kv is None:
            self._kv = self.model.prefill(self.prompt[None])  # <- culprit
        k, v = self._kv
        return k.expand(batch, -1, -1, -1), v.expand(batch, -1, -1, -1)
