from torch.func import functional_call


class ModelEMA:
    """Keeps a smoothed copy of the weights and calls the module with them.

    For the first `warmup` updates the copy simply follows the model.
    """

    def __init__(self, model, decay=0.999, warmup=0):
        self.model = model
        self.decay = decay
        self.warmup = warmup
        self.num_updates = 0
        self.shadow = {}
        self._register()

    def _register(self):
        for name, p in self.model.named_parameters():
            self.shadow[name] = p.data.clone()

    def update(self):
        if self.num_updates < self.warmup:
            self._register()
        else:
            for name, p in self.model.named_parameters():
                averaged = self.shadow[name].lerp(p, 1.0 - self.decay)  # <- culprit
                self.shadow[name] = averaged  # <- culprit
        self.num_updates += 1

    def __call__(self, x):
        return functional_call(self.model, self.shadow, (x,))
