# gradwatch-corpus: kind=graph-held
# holder: points | points[-1] | points[i][1]
# first-bad: 3
# notice: 8
"""Crop type classification from NDVI time series (ignite)."""
import torch
from ignite.engine import Engine, Events, create_supervised_evaluator
from ignite.handlers import LRScheduler
from ignite.metrics import Accuracy, Loss
from torch import nn

from engine_utils import curve_of, make_train_step
from ndvi import loaders

torch.set_num_threads(1)


class TempCNN(nn.Module):
    def __init__(self, n_classes, ch=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, ch, 5, padding=2), nn.BatchNorm1d(ch), nn.ReLU(),
            nn.Conv1d(ch, ch, 5, padding=2), nn.BatchNorm1d(ch), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.fc = nn.Linear(ch * 4, n_classes)

    def forward(self, x):
        return self.fc(self.body(x.unsqueeze(1)))


def run():
    torch.manual_seed(2024)
    train_loader, test_loader = loaders(n_train=960, n_test=240, batch_size=32)
    model = TempCNN(n_classes=5)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    trainer = Engine(make_train_step(model, optimizer, criterion))
    evaluator = create_supervised_evaluator(
        model, metrics={"acc": Accuracy(), "nll": Loss(nn.CrossEntropyLoss())}
    )
    trainer.add_event_handler(
        Events.ITERATION_STARTED,
        LRScheduler(torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.08, total_steps=330)),
    )
    confidence = curve_of(trainer, "confidence", every=3)

    @trainer.on(Events.EPOCH_COMPLETED(every=2))
    def validate(engine):
        evaluator.run(test_loader)
        m = evaluator.state.metrics
        print(f"epoch {engine.state.epoch}: acc {m['acc']:.3f} nll {m['nll']:.3f}")

    @trainer.on(Events.COMPLETED)
    def report(engine):
        steps, values = confidence()
        print("confidence", steps[0], f"{values[0]:.3f}", "->", steps[-1], f"{values[-1]:.3f}")

    trainer.run(train_loader, max_epochs=10)


if __name__ == "__main__":
    run()
