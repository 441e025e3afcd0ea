from torch import nn


class MultiTaskTrainer:
    def __init__(self, model, optimizer, weights):
        self.model = model
        self.optimizer = optimizer
        self.weights = weights
        self.criterion = nn.BCEWithLogitsLoss()
        self.curves = {task: [] for task in weights}

    def losses(self, study):
        outputs = self.model(study.image, list(study.labels))
        return {task: self.criterion(outputs[task], label) for task, label in study.labels.items()}

    def step(self, study):
        self.optimizer.zero_grad()
        for task, loss in self.losses(study).items():
            (self.weights[task] * loss).backward()  # <- culprit
            self.curves[task].append(loss.item())
        self.optimizer.step()

    def fit(self, studies, every=3):
        for k, study in enumerate(studies):
            self.step(study)
            if k % every == 0:
                last = {task: round(c[-1], 4) for task, c in self.curves.items() if c}
                print(f"batch {k}: {last}", flush=True)
