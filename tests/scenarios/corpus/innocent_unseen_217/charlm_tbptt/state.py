import torch


def repackage(state):
    if state is None:
        return None
    if torch.is_tensor(state):
        return state.detach()
    return tuple(repackage(s) for s in state)


class CarryManager:
    """Carries the recurrent state from chunk to chunk of the same stream."""

    def __init__(self, model):
        self.model, self.state = model, None

    def reset(self):
        self.state = None

    def __call__(self, x):
        logits, self.state = self.model(x, repackage(self.state))
        return logits
