import copy


class TrainDataLoaderIter:
    def __init__(self, loader):
        self.loader, self._it = loader, iter(loader)

    def __next__(self):
        try:
            return next(self._it)
        except StopIteration:
            self._it = iter(self.loader)
            return next(self._it)


class LRFinder:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.state = copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())
        self.history = {"lr": [], "loss": []}
        self.best_loss = None

    def reset(self):
        self.model.load_state_dict(self.state[0])
        self.optimizer.load_state_dict(self.state[1])

    def range_test(self, loader, end_lr, num_iter, smooth_f=0.05, diverge_th=5):
        start_lr = self.optimizer.param_groups[0]["lr"]
        it = TrainDataLoaderIter(loader)
        for iteration in range(num_iter):
            lr = start_lr * (end_lr / start_lr) ** (iteration / (num_iter - 1))
            for group in self.optimizer.param_groups:
                group["lr"] = lr
            loss = self._train_batch(it)  # <- culprit
            self.history["lr"].append(lr)
            if iteration == 0:
                self.best_loss = loss
            else:
                loss = smooth_f * loss + (1 - smooth_f) * self.history["loss"][-1]  # <- culprit
                if loss < self.best_loss:
                    self.best_loss = loss
            self.history["loss"].append(loss)  # <- culprit
            if loss > diverge_th * self.best_loss:
                print("Stopping early, the loss has diverged")
                break

    def _train_batch(self, it):
        self.model.train()
        inputs, labels = next(it)
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(inputs), labels)
        loss.backward()
        self.optimizer.step()
        return loss  # <- culprit

    def suggestion(self):
        losses = [float(v) for v in self.history["loss"]]
        slopes = [b - a for a, b in zip(losses[5:-6], losses[6:-5])]
        return self.history["lr"][5 + slopes.index(min(slopes))]
