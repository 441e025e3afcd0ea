# gradwatch-corpus: kind=graph-held
# holder: param._backward_hooks | model.log_scale._backward_hooks | self.model.log_scale._backward_hooks | self.log_scale._backward_hooks | model.log_scale | self.model.log_scale | param | scores | on_grad
# first-bad: 1
"""Two-tower retrieval (queries and documents as bags of hashed tokens) with in-batch
negatives and a learned softmax scale; the scale's gradient is watched by a probe."""
import torch

from corpus import BagSampler
from probes import GradientProbe
from towers import TwoTower


class RetrievalTrainer:
    def __init__(self, model, sampler, probe, lr=3e-3):
        self.model = model
        self.sampler = sampler
        self.probe = probe
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-4)
        self.hits = []

    def training_step(self, queries, docs):
        scores = self.model(queries, docs)
        self.probe.watch("log_scale", self.model.log_scale, scores)  # <- culprit
        loss = self.model.in_batch_loss(scores)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        top1 = scores.detach().argmax(1).eq(torch.arange(len(scores))).float().mean()
        return loss.item(), top1.item()

    def run(self, steps):
        for step in range(steps):
            loss, top1 = self.training_step(*self.sampler.draw())
            self.hits.append(top1)
            if (step + 1) % 50 == 0:
                recent = sum(self.hits[-50:]) / 50
                print(f"step {step + 1}: loss {loss:.3f} top1 {recent:.3f} {self.probe.line('log_scale')}")


if __name__ == "__main__":
    torch.manual_seed(8)
    RetrievalTrainer(
        model=TwoTower(vocab=600, dim=32),
        sampler=BagSampler(vocab=600, topics=40, batch=48, seed=8),
        probe=GradientProbe(),
    ).run(250)
