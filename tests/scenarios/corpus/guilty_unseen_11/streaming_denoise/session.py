import torch.nn.functional as F


class StreamSession:
    """Keeps the filter state between blocks; reset() at the start of a recording."""

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.state = None
        self.blocks = 0

    def reset(self):
        self.state = None

    def process(self, frames):
        if self.state is None:
            self.state = self.model.initial_state(frames.size(1))
        out, state = self.model(frames, self.state)
        self.state = state  # <- culprit
        return out

    def fit_block(self, noisy, clean):
        estimate = self.process(noisy)
        loss = F.l1_loss(estimate, clean) + F.mse_loss(estimate, clean)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        self.blocks += 1
        return loss.item(), estimate.detach()
