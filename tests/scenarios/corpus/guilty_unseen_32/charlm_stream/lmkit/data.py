class StreamBatcher:
    """Splits one long id sequence into parallel lanes, yields (x, y) windows."""

    def __init__(self, ids, lanes, window):
        usable = (len(ids) - 1) // lanes * lanes
        self.inputs = ids[:usable].view(lanes, -1)
        self.targets = ids[1:usable + 1].view(lanes, -1)
        self.window = window

    def __iter__(self):
        pos = 0
        length = self.inputs.size(1)
        while True:
            if pos + self.window > length:
                pos = 0
            stop = pos + self.window
            yield self.inputs[:, pos:stop], self.targets[:, pos:stop]
            pos = stop
