import torch


class MetaTrainer:
    def __init__(self, algo, lr):
        self.algo = algo
        self.opt = torch.optim.Adam(algo.parameters(), lr=lr)
        self.curves = {"support": [], "query": []}

    def note(self, **losses):
        for k, v in losses.items():
            self.curves[k].append(v.item())

    def iteration(self, tasks):
        outer = 0.0
        for task in tasks:
            inner = self.algo.adapt(task)
            query = self.algo.query_loss(task)
            outer = outer + query / len(tasks)
        self.opt.zero_grad()
        outer.backward()
        self.opt.step()
        self.note(support=inner, query=outer)

    def fit(self, stream, iterations):
        for i in range(iterations):
            self.iteration(next(stream))
            if i % 100 == 0:
                print(i, round(self.curves["query"][-1], 4))
