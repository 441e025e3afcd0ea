import weakref


class View:
    def __init__(self, step, emb, loss):
        self.step, self.emb, self.loss = step, emb, loss


class ViewRegistry:
    """Every view that some reviewer still has on the desk."""

    def __init__(self):
        self._views = weakref.WeakValueDictionary()

    def open(self, step, emb, loss):
        view = View(step, emb, loss)
        self._views[step] = view
        return view

    def oldest(self):
        return min(self._views.keys(), default=None)

    def spread(self):
        losses = [v.loss.item() for v in self._views.values()]
        return max(losses) - min(losses) if losses else 0.0

    def __len__(self):
        return len(self._views)
