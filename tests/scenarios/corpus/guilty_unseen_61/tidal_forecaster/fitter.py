"""The optimisation loop: one update per chunk."""
import torch
import torch.nn.functional as F


class Fitter:
    def __init__(self, model, optimizer, max_norm=1.0):
        self.model, self.optimizer, self.max_norm = model, optimizer, max_norm

    def fit(self, sessions):
        curve = []
        for chunk in sessions:
            if chunk.opens_session:
                self.model.encoder.reset()
            curve.append(self.update(chunk))
        return curve

    def update(self, chunk):
        loss = F.mse_loss(self.model(chunk.x), chunk.y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        return loss.item()
