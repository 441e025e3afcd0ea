# gradwatch-corpus: kind=graph-chain
# holder: kf.x | kf.P | self.x | self.P
# first-bad: 1
# notice: 5

# Kalman filter for river level (float sensor + ultrasonic), learn Q and R by gradient descent
# instead of tuning by hand. Based on the 1D filter from wikipedia / my control lecture
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(31)

DT = 0.25  # hours


def simulate_river(n_stations, n):
    lvl = 2 + torch.rand(n_stations)
    rate = torch.zeros(n_stations)
    truth, meas = [], []
    for k in range(n):
        rate = 0.95 * rate + 0.05 * torch.randn(n_stations)
        if k % 60 == 30:
            rate = rate + 0.3   # rain event
        lvl = lvl + DT * rate - 0.02 * (lvl - 2.5)
        truth.append(lvl)
        meas.append(lvl + 0.15 * torch.randn(n_stations))
    return torch.stack(truth), torch.stack(meas)


class KF:
    def __init__(self, n_stations):
        self.logq = torch.tensor(math.log(0.5), requires_grad=True)
        self.logr = torch.tensor(math.log(0.5), requires_grad=True)
        self.logdecay = torch.tensor(-3.0, requires_grad=True)
        self.x = None
        self.P = None
        self.n = n_stations

    def params(self):
        return [self.logq, self.logr, self.logdecay]

    def predict(self):
        a = torch.exp(-torch.exp(self.logdecay))
        mean_lvl = 2.5
        self.x = mean_lvl + a * (self.x - mean_lvl)
        self.P = a * a * self.P + torch.exp(self.logq)

    def update(self, z):
        # innovation
        R = torch.exp(self.logr)
        y = z - self.x
        S = self.P + R
        K = self.P / S
        self.x = self.x + K * y  # <- culprit
        self.P = (1 - K) * self.P  # <- culprit
        nll = 0.5 * (y * y / S + torch.log(S))
        return nll.mean()


if __name__ == '__main__':
    T = 2 * 140
    truth, meas = simulate_river(3, T)
    kf = KF(3)
    opt = torch.optim.Adam(kf.params(), lr=0.04)

    # start from first measurement
    kf.x = meas[0].clone()
    kf.P = torch.ones(3)

    acc = []
    for blk in range(T // 2):
        loss = 0
        for i in range(2):
            kf.predict()
            loss = loss + kf.update(meas[blk * 2 + i])
        loss = loss / 2
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(kf.params(), 1.0)
        opt.step()
        err = (kf.x.detach() - truth[blk * 2 + 1]).abs().mean().item()
        acc.append(err)
        if blk % 35 == 34:
            q, r = kf.logq.exp().item(), kf.logr.exp().item()
            print('t=%6.1fh nll %.3f  Q %.4f R %.4f  err %.3f' % (
                (blk + 1) * 2 * DT, loss.item(), q, r, sum(acc[-35:]) / 35))
