import itertools

import torch
import torch.nn.functional as F


class FraudJob:
    def __init__(self, model, stream, review, steps):
        self.model = model
        self.stream = stream
        self.review = review
        self.steps = steps
        self.opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
        self.pos_weight = torch.tensor(2.0)

    def run(self):
        seen = 0
        caught = 0
        for step, batch in enumerate(itertools.islice(self.stream, self.steps)):
            logits = self.model(batch.merchant, batch.numeric)
            costs = F.binary_cross_entropy_with_logits(
                logits, batch.label, reduction="none", pos_weight=self.pos_weight
            )
            self.opt.zero_grad(set_to_none=True)
            costs.mean().backward()
            self.opt.step()
            scores = torch.sigmoid(logits)
            self.review.offer(step, batch.ids, scores, costs, batch.label)  # <- culprit
            fraud = batch.label.bool()
            seen += int(fraud.sum())
            caught += int((scores.detach()[fraud] > 0.5).sum())
            if step % 30 == 29:
                print(f"step {step + 1} recall {caught / max(seen, 1):.3f} queued {len(self.review.cases)}")
