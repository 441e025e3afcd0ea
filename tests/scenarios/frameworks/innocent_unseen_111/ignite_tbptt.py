# gradwatch-corpus: kind=none
"""Tidal gauge nowcasting with an LSTM, ignite's truncated-BPTT trainer."""
import warnings
from collections import deque

import torch
import torch.nn as nn
from ignite.contrib.engines.tbptt import Tbptt_Events, create_supervised_tbptt_trainer
from ignite.engine import Events, create_supervised_evaluator
from ignite.handlers import EMAHandler, TerminateOnNan, Timer
from ignite.metrics import MeanAbsoluteError, RunningAverage
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
warnings.filterwarnings("ignore")


class GaugeLSTM(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.rnn = nn.LSTM(2, hidden)
        self.out = nn.Linear(hidden, 1)
        self.last_state = None
        self.norms = deque(maxlen=32)

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        self.last_state = state
        self.norms.append(state[1].norm())
        return self.out(h).squeeze(-1), state


class PredictOnly(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        # evaluator gives (batch, time, feature)
        y, _ = self.net(x.transpose(0, 1))
        return y.transpose(0, 1)


def tides(n, length=48):
    t = torch.arange(length + 1).float() + 400 * torch.rand(n, 1)
    amp = 1 + 0.3 * torch.rand(n, 1)
    level = amp * torch.sin(2 * torch.pi * t / 12.42) + 0.4 * torch.sin(2 * torch.pi * t / 24 + 1)
    wind = torch.randn(n, length + 1).cumsum(1) * 0.05
    level = level + wind + 0.03 * torch.randn(n, length + 1)
    x = torch.stack([level[:, :-1], wind[:, :-1]], -1)
    return x, level[:, 1:]


def collate_time_first(items):
    xs, ys = zip(*items)
    return torch.stack(xs, 1), torch.stack(ys, 1)


def main():
    torch.manual_seed(12)
    train, test = TensorDataset(*tides(256)), TensorDataset(*tides(64))
    train_loader = DataLoader(train, batch_size=16, shuffle=True, collate_fn=collate_time_first)
    test_loader = DataLoader(test, batch_size=32)

    model = GaugeLSTM()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    trainer = create_supervised_tbptt_trainer(model, optimizer, nn.SmoothL1Loss(), tbtt_step=12, dim=0)
    evaluator = create_supervised_evaluator(PredictOnly(model), metrics={"mae": MeanAbsoluteError()})

    RunningAverage(output_transform=lambda o: o).attach(trainer, "loss")
    trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    ema = EMAHandler(nn.ModuleList([model.rnn, model.out]), momentum=0.02)
    ema.attach(trainer, name="ema_momentum", event=Tbptt_Events.TIME_ITERATION_COMPLETED)
    timer = Timer(average=True)
    timer.attach(trainer, step=Events.ITERATION_COMPLETED)
    chunk_losses, state_norms = [], []

    @trainer.on(Tbptt_Events.TIME_ITERATION_COMPLETED)
    def record(engine):
        chunk_losses.append(engine.state.output)
        state_norms.append(model.last_state[0].norm().item())

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        model.eval()
        evaluator.run(test_loader)
        cell = torch.stack(list(model.norms)).mean().item()
        print(f"epoch {engine.state.epoch} loss {engine.state.metrics['loss']:.4f} "
              f"mae {evaluator.state.metrics['mae'] / 48:.4f} cell {cell:.2f} chunks {len(chunk_losses)}")

    trainer.run(train_loader, max_epochs=6)
    print("first/last", round(chunk_losses[0], 4), round(chunk_losses[-1], 4), round(max(state_norms), 2))


if __name__ == "__main__":
    main()
