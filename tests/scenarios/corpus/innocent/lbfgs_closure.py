# gradwatch-corpus: kind=none
# about: LBFGS calls the closure up to twenty times within one step; a sequence fitted as in the
# about: time sequence prediction example, predictions for the future made with no_grad
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Sequence(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.lstm1, self.lstm2 = nn.LSTMCell(1, hidden), nn.LSTMCell(hidden, hidden)
        self.linear = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, x, future=0):
        h_t, c_t, h_t2, c_t2 = (torch.zeros(x.size(0), self.hidden) for _ in range(4))
        outputs = []
        for x_t in x.split(1, dim=1):
            h_t, c_t = self.lstm1(x_t, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs.append(output)
        for _ in range(future):
            h_t, c_t = self.lstm1(output, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs.append(output)
        return torch.cat(outputs, dim=1)


def main():
    torch.manual_seed(0)
    start = torch.randint(-80, 80, (12, 1))
    data = torch.sin((torch.arange(31) + start) / 4.0)
    inputs, target = data[3:, :-1], data[3:, 1:]
    seq, criterion = Sequence(), nn.MSELoss()
    optimizer = torch.optim.LBFGS(seq.parameters(), lr=0.6, max_iter=10)
    evaluations = 0
    for i in range(max(2, ITERATIONS // 30)):

        def closure():
            nonlocal evaluations
            optimizer.zero_grad()
            out = seq(inputs)
            loss = criterion(out, target)
            loss.backward()
            evaluations += 1
            return loss

        loss = optimizer.step(closure)
        with torch.no_grad():
            test = criterion(seq(data[:3, :-1], future=20)[:, :-20], data[:3, 1:])
        print(f"STEP {i}: {loss.item():.6f} test {test.item():.6f} after {evaluations}")


if __name__ == "__main__":
    main()
