import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, callbacks, lr):
        self.model, self.data, self.callbacks = model, data, callbacks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.outputs = self.losses = None

    def compute_losses(self, outputs, mask):
        small = F.max_pool2d(mask, 2)
        return {
            "fine": F.binary_cross_entropy_with_logits(outputs["fine"], mask),
            "coarse": 0.4 * F.binary_cross_entropy_with_logits(outputs["coarse"], small),
        }

    def step(self, step):
        image, mask = self.data.batch(4)
        self.outputs = self.model(image)
        self.losses = self.compute_losses(self.outputs, mask)
        self.optimizer.zero_grad()
        sum(self.losses.values()).backward()
        self.optimizer.step()
        for callback in self.callbacks:
            callback.on_step(self, step, self.outputs, self.losses)

    @torch.inference_mode()
    def evaluate(self):
        self.model.eval()
        image, mask = self.data.batch(16)
        guess = (self.model(image)["fine"] > 0).float()
        self.model.train()
        return {"dice": (2 * (guess * mask).sum() / (guess.sum() + mask.sum() + 1e-6)).item()}

    def fit(self, steps):
        for step in range(steps):
            self.step(step)
