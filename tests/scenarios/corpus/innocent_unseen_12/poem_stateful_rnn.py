# gradwatch-corpus: kind=none
"""My old Keras char-RNN (stateful=True) moved over to PyTorch; compile/fit/reset_states look as they did there because
the rest of my notebooks call them."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1234)
torch.set_num_threads(1)

POEM = """the fog comes on little cat feet. it sits looking over harbor and city on silent haunches and then moves on.
so much depends upon a red wheel barrow glazed with rain water beside the white chickens. """ * 40
CHARS = sorted(set(POEM))
IDX = {c: i for i, c in enumerate(CHARS)}


class StatefulLSTM(nn.Module):
    def __init__(self, units, n_in):
        super().__init__()
        self.cell = nn.LSTM(n_in, units, batch_first=True)
        self.states = None

    def reset_states(self):
        self.states = None

    def forward(self, x):
        out, self.states = self.cell(x, self.states)
        return out

    def end_of_batch(self):
        self.states = tuple(s.detach() for s in self.states)


class History:
    def __init__(self):
        self.history = {}

    def on_epoch_end(self, logs):
        for k, v in logs.items():
            self.history.setdefault(k, []).append(v)


class Mean:
    def __init__(self, name):
        self.name = name
        self.reset_state()

    def reset_state(self):
        self.total, self.count = torch.zeros(()), 0

    def update_state(self, value, n=1):
        self.total = self.total + value.detach() * n
        self.count += n

    def result(self):
        return float(self.total) / max(1, self.count)


class Sequential(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.metrics = [Mean("loss"), Mean("accuracy")]

    def compile_with(self, optimizer, loss, clipnorm=1.0):
        self.optimizer = optimizer(self.parameters())
        self.loss_fn = loss
        self.clipnorm = clipnorm

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def stateful_layers(self):
        return [l for l in self.layers if isinstance(l, StatefulLSTM)]

    def reset_states(self):
        for l in self.stateful_layers():
            l.reset_states()

    def train_on_batch(self, x, y):
        pred = self(x)
        loss = self.loss_fn(pred.flatten(0, 1), y.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters(), self.clipnorm)
        self.optimizer.step()
        for l in self.stateful_layers():
            l.end_of_batch()
        self.metrics[0].update_state(loss, y.numel())
        self.metrics[1].update_state((pred.argmax(-1) == y).float().mean(), y.numel())
        return loss

    def fit(self, batches, epochs, callbacks):
        for epoch in range(epochs):
            self.reset_states()
            for m in self.metrics:
                m.reset_state()
            for x, y in batches():
                self.train_on_batch(x, y)
            logs = {m.name: m.result() for m in self.metrics}
            for cb in callbacks:
                cb.on_epoch_end(logs)
            print(f"Epoch {epoch + 1}/{epochs} - " + " - ".join(f"{k}: {v:.4f}" for k, v in logs.items()))


class Embedding(nn.Embedding):
    pass


def stateful_batches(seq_len=20, n_streams=12):
    """Row b of batch k goes on where row b of batch k-1 stopped."""
    data = torch.tensor([IDX[c] for c in POEM])
    per = (len(data) - 1) // n_streams
    x = data[:per * n_streams].view(n_streams, per)
    y = data[1:per * n_streams + 1].view(n_streams, per)
    for i in range(0, per - seq_len + 1, seq_len):
        yield x[:, i:i + seq_len], y[:, i:i + seq_len]


@torch.no_grad()
def generate(model, start, n=60):
    kept = [l.states for l in model.stateful_layers()]
    model.reset_states()
    text = start
    x = torch.tensor([[IDX[c] for c in start]])
    for _ in range(n):
        p = (model(x)[0, -1] / 0.7).softmax(-1)
        x = torch.multinomial(p, 1)[None]
        text += CHARS[x.item()]
    for l, s in zip(model.stateful_layers(), kept):
        l.states = s
    return text


model = Sequential([Embedding(len(CHARS), 24), StatefulLSTM(64, 24), StatefulLSTM(64, 64), nn.Linear(64, len(CHARS))])
model.compile_with(lambda p: torch.optim.RMSprop(p, lr=3e-3), F.cross_entropy)
hist = History()
model.fit(stateful_batches, epochs=9, callbacks=[hist])
print(repr(generate(model, "the ")))
print("best loss", round(min(hist.history["loss"]), 3))
