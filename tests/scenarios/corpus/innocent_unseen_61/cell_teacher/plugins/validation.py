"""Accuracy on held-out cells."""
import torch


class Validation:
    def __init__(self, data, every):
        self.x, self.y = data
        self.every = every

    @torch.inference_mode()
    def after_step(self, engine):
        if engine.step % self.every:
            return
        engine.model.eval()
        accuracy = (engine.model(self.x).argmax(-1) == self.y).float().mean()
        engine.model.train()
        engine.notes.append(f"step {engine.step}: accuracy {accuracy:.3f}")
