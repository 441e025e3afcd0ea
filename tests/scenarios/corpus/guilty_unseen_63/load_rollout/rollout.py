"""Autoregressive decoding on a sliding context window."""
import torch


class Decoder:
    """Runs a one-step model forward in time on its own copy of the context."""

    def __init__(self, model):
        self.model = model
        self.window = None

    def one_step(self, past):
        return self.model(past).unsqueeze(1)

    def rollout(self, past, horizon):
        """Predict `horizon` hours, feeding each prediction back as the newest input.

        The window is copied from `past` once and serves all the steps.
        """
        self.window = past.clone()
        preds = []
        for _ in range(horizon):
            nxt = self.model(self.window)
            preds.append(nxt)
            shifted = torch.roll(self.window, -1, dims=1)
            shifted[:, -1] = nxt
            self.window.copy_(shifted)  # <- culprit
        return torch.stack(preds, dim=1)
