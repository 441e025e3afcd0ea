import copy


class EMA:
    """Exponential moving average of the weights of a model.

    Call `update` after each optimizer step; `averaged` gives a copy of the model with the
    averaged weights, for evaluation.
    """

    def __init__(self, model, decay=0.98):
        self.model = model
        self.decay = decay
        self.shadow = {}
        for name, param in model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.detach().clone()

    def update(self):
        for name, param in self.model.named_parameters():
            if name in self.shadow:
                self.shadow[name] = self.decay * self.shadow[name] + (1.0 - self.decay) * param  # <- culprit

    def averaged(self):
        clone = copy.deepcopy(self.model)
        for name, param in clone.named_parameters():
            if name in self.shadow:
                param.data = self.shadow[name].data
        return clone
