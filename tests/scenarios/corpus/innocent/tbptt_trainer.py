# gradwatch-corpus: kind=none
# about: truncated backprop as in a well-known trainer library: a long sequence is cut along
# about: time, the hidden state detached between the pieces, a step for each piece
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


def _detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return type(hidden)(_detach_hidden(h) for h in hidden)


class Engine:
    def __init__(self, process):
        self.process, self.handlers, self.iteration = process, {}, 0

    def on(self, event, handler):
        self.handlers.setdefault(event, []).append(handler)

    def fire(self, event):
        for handler in self.handlers.get(event, []):
            handler(self)

    def run(self, data):
        for batch in data:
            self.output = self.process(self, batch)
            self.iteration += 1
            self.fire("iteration")


def create_tbptt_trainer(model, optimizer, loss_fn, tbptt_step, dim=0):
    def _update(engine, batch):
        loss_list, hidden = [], None
        x, y = batch
        for x_t, y_t in zip(x.split(tbptt_step, dim=dim), y.split(tbptt_step, dim=dim)):
            model.train()
            optimizer.zero_grad()
            hidden = _detach_hidden(hidden)
            pred, hidden = model(x_t, hidden)
            loss = loss_fn(pred, y_t)
            loss.backward()
            optimizer.step()
            engine.fire("piece")
            loss_list.append(loss.item())
        return sum(loss_list) / len(loss_list)

    return Engine(_update)


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.out = nn.GRU(1, 16), nn.Linear(16, 1)

    def forward(self, x, hidden):
        h, hidden = self.gru(x, hidden)
        return self.out(h), hidden


def signals(n):
    for _ in range(n):
        x = torch.randn(80, 4, 1)
        yield x, x.cumsum(0).tanh()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Filter()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    trainer = create_tbptt_trainer(model, optimizer, nn.functional.mse_loss, tbptt_step=10)
    trainer.on("iteration", lambda e: e.iteration % 5 or print(f"{e.iteration}: {e.output:.6f}"))
    trainer.run(signals(ITERATIONS // 8))
