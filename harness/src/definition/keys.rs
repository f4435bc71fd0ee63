//! The keys of a definition, table by table. Parameters of schemes, hashes and workloads are not
//! here: their families declare them.

/// A key of one of a definition's tables.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Whether the table must have it.
    pub required: bool,
    /// What it says, in a few words.
    pub doc: &'static str,
}

/// A table of a definition.
#[derive(Debug, Clone, Copy)]
pub struct TableKeys {
    /// Its name in messages, such as `[point]`.
    pub name: &'static str,
    /// Its keys in the reference, such as `point.scheme`, begin with this.
    pub prefix: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

impl TableKeys {
    /// The names of its keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

const fn required(name: &'static str, doc: &'static str) -> Key {
    Key { name, required: true, doc }
}

const fn optional(name: &'static str, doc: &'static str) -> Key {
    Key { name, required: false, doc }
}

/// The top of the file.
pub const EXPERIMENT: TableKeys = TableKeys {
    name: "an experiment",
    prefix: "",
    keys: &[
        required("title", "what the figure or table shows"),
        optional("document", "key of the document in documents.toml"),
        optional("place", "where in the document"),
        optional("analysis", "what to see here"),
        optional("seed", "seed from which every trial's seed is derived"),
        optional("trials", "trials of every point"),
        optional("precision", "how narrow the confidence interval has to be"),
        optional(
            "largest_room",
            "share of its prediction that a row's room may have; a row with more is undecided",
        ),
        optional("workload", "what one trial does, unless every series says so itself"),
        optional("point", "parameters shared by all series"),
        required("series", "what is compared, one [[series]] for each line of the figure"),
        optional("figure", "figures to draw"),
        optional("derived", "quantities made of several points"),
        optional(
            "time",
            "operations that `loadfactor bench` times; such a definition has no trials",
        ),
    ],
};

/// `precision`.
pub const PRECISION: TableKeys = TableKeys {
    name: "`precision`",
    prefix: "precision.",
    keys: &[
        required("metric", "the quantity that it is asked of"),
        required("relative", "half-width of the confidence interval divided by the mean"),
        optional("min_trials", "trials before the rule is first asked"),
        required("max_trials", "trials after which the point ends in any case"),
    ],
};

/// `[time]`.
pub const TIME: TableKeys = TableKeys {
    name: "`[time]`",
    prefix: "time.",
    keys: &[
        optional("operations", "what is timed"),
        optional("samples", "samples of each series, place of the sweep and operation"),
        optional("layouts", "how often the structures are made anew meanwhile"),
        optional("milliseconds", "the shortest time of a sample"),
        optional("baseline", "label of the series that the others are divided by"),
    ],
};

/// `[workload]`.
pub const WORKLOAD: TableKeys = TableKeys {
    name: "`[workload]`",
    prefix: "workload.",
    keys: &[
        optional("kind", "the name of the workload"),
        optional("trace", "where packets come from"),
        optional("trace_layout", "the layout of its records, where it is no capture"),
    ],
};

/// `workload` of a series.
pub const SERIES_WORKLOAD: TableKeys = TableKeys {
    name: "`workload`",
    prefix: "workload.",
    keys: &[optional("kind", "the name of the workload")],
};

/// `workload.trace` as a table.
pub const TRACE: TableKeys = TableKeys {
    name: "`trace`",
    prefix: "trace.",
    keys: &[
        optional(
            "path",
            "files, folders or patterns; without it, the run makes a synthetic capture",
        ),
        optional("packets", "at most so many packets; of a synthetic capture, how many it has"),
        optional("from", "packets of this time or later"),
        optional("to", "packets before this time"),
        optional("compression", "compression, in place of what the content looks like"),
        optional("decoder_memory", "most MiB that a decoder may take"),
        optional("seed", "seed of the generator of a synthetic capture"),
        optional("preset", "the link that a synthetic capture is like"),
    ],
};

/// `[point]`.
pub const POINT: TableKeys = TableKeys {
    name: "`[point]`",
    prefix: "point.",
    keys: &[
        optional("scheme", "the name of the scheme"),
        optional("zip", "sweeps that advance together"),
    ],
};

/// `[[series]]`.
pub const SERIES: TableKeys = TableKeys {
    name: "`[[series]]`",
    prefix: "series.",
    keys: &[
        required("label", "its name in the legend and in the table"),
        optional("scheme", "the name of the scheme"),
        optional("workload", "keys of `[workload]` that differ for this series"),
        optional("trials", "trials of its points"),
        optional("precision", "how narrow its confidence intervals have to be"),
        optional("zip", "sweeps that advance together"),
    ],
};

/// `[[figure]]`.
pub const FIGURE: TableKeys = TableKeys {
    name: "`[[figure]]`",
    prefix: "figure.",
    keys: &[
        optional("id", "the file is figure-<id>.svg"),
        optional("title", "its title"),
        required("x", "column along the horizontal axis"),
        required("y", "column along the vertical axis"),
        optional("x_label", "text at the horizontal axis"),
        optional("y_label", "text at the vertical axis"),
        optional("x_scale", "linear, logarithmic or probit"),
        optional("y_scale", "linear, logarithmic or probit"),
        optional("x_range", "range of the horizontal axis"),
        optional("y_range", "range of the vertical axis"),
        optional("y_from", "whether y is the distance from its limit"),
        optional("lines", "curves of theory"),
        optional("series", "labels of the series shown"),
        optional("ratio_to", "labels of the series that they are divided by"),
    ],
};

/// `[[derived]]`.
pub const DERIVED: TableKeys = TableKeys {
    name: "`[[derived]]`",
    prefix: "derived.",
    keys: &[
        required("name", "its name, as a document might say it"),
        optional("each", "words that take the place of `{}`, one after the other"),
        optional("ratio", "two names: the first value divided by the second"),
        optional("difference", "two names: the first value less the second"),
        optional("order", "names from the greatest value to the least"),
        optional("least", "the least x of a series with a property"),
        optional("greatest", "the greatest x of a series with a property"),
        optional("largest_error", "the largest distance from the predictions"),
        optional("largest_relative_error", "the same, divided by the prediction"),
        optional("optimum", "what is made least by the best structure"),
        optional("poisson_tail", "a mean and a limit that a Poisson number may exceed"),
        optional("of", "the quantity"),
        optional("series", "label of the series, or a list of them"),
        optional("at", "values of parameters, columns and places"),
        optional("where", "a condition"),
        optional("against", "the kind of prediction that errors are measured from"),
        optional("equal", "whether what can be chosen is equal everywhere"),
    ],
};

/// A sweep from one value to another.
pub const RANGE: TableKeys = TableKeys {
    name: "a range",
    prefix: "range.",
    keys: &[
        required("from", "the first value"),
        required("to", "the last value"),
        optional("step", "distance of one value from the next"),
        optional("steps", "number of values, both ends included"),
        optional("factor", "ratio of one value to the one before"),
        optional("spacing", "linear or logarithmic"),
    ],
};

/// One value for each scale.
pub const SCALES: TableKeys = TableKeys {
    name: "a value per scale",
    prefix: "scale.",
    keys: &[
        optional("smoke", "at the scale of a smoke test: seconds"),
        optional("quick", "at the default scale: a minute or two"),
        optional("paper", "at the scale of the document"),
    ],
};

/// A document in `documents.toml`.
pub const DOCUMENT: TableKeys = TableKeys {
    name: "a document",
    prefix: "document.",
    keys: &[
        required("title", "its title"),
        required("authors", "its authors"),
        required("year", "the year of publication"),
        optional("series", "what has a colour and marker of its own in all its figures"),
    ],
};

/// Every table of a definition and of `documents.toml`.
pub const TABLES: &[TableKeys] = &[
    EXPERIMENT, PRECISION, TIME, WORKLOAD, TRACE, POINT, SERIES, FIGURE, DERIVED, RANGE, SCALES,
    DOCUMENT,
];
