class GraphTrainer:
    def __init__(self, net, optimizer, plan):
        self.net = net
        self.optimizer = optimizer
        self.plan = plan

    def _due(self, step):
        for name, fn, every in self.plan:
            if every == 1 or (step > 0 and step % every == 0):
                yield name, fn

    def _step(self, step, batch):
        out = self.net(batch)
        self.optimizer.zero_grad()
        report = {}
        for name, fn in self._due(step):
            loss = fn(self.net, out, batch)  # <- culprit
            loss.backward()  # <- culprit
            report[name] = loss.item()
        self.optimizer.step()
        return report

    def run(self, make_batch, steps):
        for step in range(steps):
            report = self._step(step, make_batch())
            if step % 10 == 0:
                print(step, {k: round(v, 4) for k, v in report.items()}, flush=True)
