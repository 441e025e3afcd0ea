# gradwatch-corpus: kind=none
"""Federated averaging over a lossy link: an update stays outstanding until its ack comes."""
import heapq
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(79)
rng = random.Random(79)


class Parcel:
    def __init__(self, client, sent, loss):
        self.client, self.sent, self.loss = client, sent, loss


class Link:
    def __init__(self, longest):
        self.longest = longest
        self.arrivals = []
        self.outstanding = set()
        self.count = 0

    def send(self, parcel, now):
        self.outstanding.add(parcel)
        self.count += 1
        due = now + rng.randint(1, self.longest)
        heapq.heappush(self.arrivals, (due, self.count, parcel))
        if rng.random() < 0.2:
            heapq.heappush(self.arrivals, (due + rng.randint(0, 5), -self.count, parcel))

    def poll(self, now):
        done = []
        while self.arrivals and self.arrivals[0][0] <= now:
            parcel = heapq.heappop(self.arrivals)[2]
            if parcel in self.outstanding:
                self.outstanding.discard(parcel)
                done.append((parcel.client, now - parcel.sent, parcel.loss.item()))
        return done


def client_data(clients=5, n=200):
    data = []
    for c in range(clients):
        x = torch.randn(n, 7) + 0.3 * c
        y = (x[:, :3].sum(1) > 0.9 * c).long() + (x[:, 3] > 1).long()
        data.append((x, y))
    return data


def main():
    data = client_data()
    model = nn.Sequential(nn.Linear(7, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    link = Link(longest=15)
    delays, last_ack = [0] * 5, {}
    for now in range(700):
        client = rng.randrange(len(data))
        x, y = data[client]
        idx = torch.randint(0, len(x), (24,))
        loss = F.cross_entropy(model(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        link.send(Parcel(client, now, loss), now)
        for who, delay, value in link.poll(now):
            delays[who] = max(delays[who], delay)
            last_ack[who] = value
        if now % 100 == 99:
            acks = {k: round(v, 3) for k, v in sorted(last_ack.items())}
            print(now, "outstanding", len(link.outstanding), "delays", delays, acks)


if __name__ == "__main__":
    main()
