/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.clonehadoop.simulator.speculators;

import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.clonehadoop.benchmarks.feed.FeedPlayer;

/** Who decides. */
public enum Kind {
    /** Nobody. */
    NONE {
        @Override
        public FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner) {
            return new Nobody();
        }
    },
    STOCK {
        @Override
        public FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner) {
            return new Stock(conf, context);
        }
    },
    PAPER {
        @Override
        public FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner) {
            return new PaperAlgorithm(conf, context, cloner);
        }
    },
    OURS {
        @Override
        public FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner) {
            return new Ours(conf, context, cloner);
        }
    },
    /** Knows what attempts will take; only in a simulation is the truth known. */
    ORACLE {
        @Override
        public FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner) {
            throw new IllegalArgumentException("a feed has no oracle: only a simulation has");
        }
    };

    /**
     * @param context gives the time and the job, and takes orders for attempts from zero
     * @param cloner takes those for clones
     */
    public abstract FeedPlayer.Listener make(Configuration conf, AppContext context, Cloner cloner);
}
