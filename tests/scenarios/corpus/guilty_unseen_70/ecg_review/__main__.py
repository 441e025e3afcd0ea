# gradwatch-corpus: kind=graph-held
# holder: self.records | book.records | casebook.records | self.casebook.records | record.trace | case.trace | self.trace | study.casebook.records
# first-bad: 1
# notice: 8
"""Beat classification with a case book for the cardiologists' review meeting."""
import torch
from torch import nn

from ecg_review.beats import BeatSet, CLASSES
from ecg_review.casebook import CaseBook


class BeatNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, width, 7, padding=3), nn.BatchNorm1d(width), nn.ReLU(),
            nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4))
        self.head = nn.Linear(4 * width, CLASSES)

    def forward(self, beats):
        return self.head(self.features(beats.unsqueeze(1)).flatten(1))


class Study:
    def __init__(self, data):
        self.data = data
        self.net = BeatNet()
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=2e-3)
        self.criterion = nn.CrossEntropyLoss(reduction="none", label_smoothing=0.05)
        self.casebook = CaseBook(limit_cases=5)

    def run(self, rounds):
        for number in range(rounds):
            beats, labels, patients = self.data.batch(16)
            per_beat = self.criterion(self.net(beats), labels)
            loss = per_beat.mean()
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.casebook.note(patients.tolist(), per_beat)  # <- culprit
            if number % 30 == 29:
                print(f"round {number + 1}: loss {loss.item():.3f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    study = Study(BeatSet(patients=40))
    study.run(120)
    for patient, severity in study.casebook.worst():
        print(f"patient {patient:3d}: mean cost {severity:.3f}")


if __name__ == "__main__":
    main()
