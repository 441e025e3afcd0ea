# gradwatch-corpus: kind=second-backward
# holder: context
# first-bad: 0
# notice: 1
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


def generate_sine_wave(T=12, L=48, N=16):
    rng = np.random.RandomState(2)
    x = np.empty((N, L), "int64")
    x[:] = np.array(range(L)) + rng.randint(-4 * T, 4 * T, N).reshape(N, 1)
    return np.sin(x / 1.0 / T).astype("float64")


class ContextEncoder(nn.Module):
    """Summarises the first part of a wave; its output conditions every later cell step."""

    def __init__(self, window=8, dim=6):
        super().__init__()
        self.window = window
        self.net = nn.Sequential(nn.Linear(window, 12), nn.Tanh(), nn.Linear(12, dim))

    def forward(self, x):
        return self.net(x[:, :self.window])


class Sequence(nn.Module):
    def __init__(self, hidden=12, context_dim=6):
        super().__init__()
        self.hidden = hidden
        self.encoder = ContextEncoder(dim=context_dim)
        self.lstm1 = nn.LSTMCell(1 + context_dim, hidden)
        self.lstm2 = nn.LSTMCell(hidden, hidden)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, input, context, future=0):
        outputs = []
        h_t = torch.zeros(input.size(0), self.hidden, dtype=torch.double)
        c_t, h_t2, c_t2 = h_t.clone(), h_t.clone(), h_t.clone()
        output = None
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(torch.cat([input_t, context], 1), (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs.append(output)
        for _ in range(future):
            h_t, c_t = self.lstm1(torch.cat([output, context], 1), (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs.append(output)
        return torch.cat(outputs, dim=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=15, help="steps to run")
    parser.add_argument("--future", type=int, default=20)
    opt = parser.parse_args()
    torch.set_num_threads(1)
    np.random.seed(0)
    torch.manual_seed(0)
    data = generate_sine_wave()
    input, target = torch.from_numpy(data[3:, :-1]), torch.from_numpy(data[3:, 1:])
    test_input, test_target = torch.from_numpy(data[:3, :-1]), torch.from_numpy(data[:3, 1:])
    seq = Sequence().double()
    criterion = nn.MSELoss()
    optimizer = optim.LBFGS(seq.parameters(), lr=0.8, max_iter=6)
    for i in range(opt.steps):
        print("STEP: ", i)
        context = seq.encoder(input)  # <- culprit

        def closure():
            optimizer.zero_grad()
            out = seq(input, context)  # <- culprit
            loss = criterion(out, target)
            print("loss:", loss.item())
            loss.backward()
            return loss

        optimizer.step(closure)
        with torch.no_grad():
            pred = seq(test_input, seq.encoder(test_input), future=opt.future)
            loss = criterion(pred[:, :-opt.future], test_target)
            print("test loss:", loss.item())
