import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, lr, weights):
        self.model = model
        self.weights = weights
        self.optimizer = torch.optim.SGD(model.param_groups(lr), lr=lr, momentum=0.5)
        self.running = dict.fromkeys(weights, 0.0)

    def criterion(self, outputs, labels):
        total = 0.0
        for name, weight in self.weights.items():
            term = F.cross_entropy(outputs[name], labels[name])
            self.running[name] = 0.95 * self.running[name] + 0.05 * term.item()
            total = total + weight * term
        return total

    def optimize(self, loss):
        self.model.zero_grad(set_to_none=True)  # <- culprit
        loss.backward()  # <- culprit
        self.optimizer.step()  # <- culprit

    def fit(self, stream, steps):
        for step in range(steps):
            ids, labels = stream.batch()
            self.optimize(self.criterion(self.model(ids), labels))
            if step % 60 == 59:
                print(step + 1, {k: round(v, 3) for k, v in self.running.items()})

    @torch.inference_mode()
    def evaluate(self, batch):
        ids, labels = batch
        outputs = self.model(ids)
        return {k: (outputs[k].argmax(-1) == labels[k]).float().mean().item() for k in self.weights}
