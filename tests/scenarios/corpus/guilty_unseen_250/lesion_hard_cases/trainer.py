from dataclasses import dataclass

import torch


@dataclass
class TrainerConfig:
    patch: int = 20
    batch: int = 6
    width: int = 8
    iterations: int = 150
    report_cases: int = 5
    lr: float = 3e-3


def soft_dice(logits, masks):
    probs = torch.sigmoid(logits)
    overlap = (probs * masks).flatten(1).sum(dim=1)
    total = probs.flatten(1).sum(dim=1) + masks.flatten(1).sum(dim=1)
    return 1 - (2 * overlap + 1) / (total + 1)


class LesionTrainer:
    def __init__(self, config, model, book):
        self.model = model
        self.book = book
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)

    def fit_batch(self, patches, masks, case_ids):
        logits = self.model(patches)
        per_case = soft_dice(logits, masks)
        loss = per_case.mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.book.note(case_ids, per_case)  # <- culprit
        return loss.item()
